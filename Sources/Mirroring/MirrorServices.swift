package import Core
package import Imaging
package import Storage
package import Transfer

/// What a run works with. Made where the program is configured; a run owns none of it.
package struct MirrorServices: Sendable {
    package let client: HTTPClient
    package let governor: HostGovernor
    package let renderer: Renderer
    package let cache: Cache
    package let clock: WallClock
    package let log: Log

    package init(
        client: HTTPClient, governor: HostGovernor, renderer: Renderer, cache: Cache, clock: WallClock, log: Log
    ) {
        self.client = client
        self.governor = governor
        self.renderer = renderer
        self.cache = cache
        self.clock = clock
        self.log = log
    }
}
