package import Amodb
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
    /// Who is asked for details; a run that wants none needs none.
    package let amodb: AmodbClient?

    package init(
        client: HTTPClient, governor: HostGovernor, renderer: Renderer, cache: Cache, clock: WallClock, log: Log, amodb: AmodbClient? = nil
    ) {
        self.client = client
        self.governor = governor
        self.renderer = renderer
        self.cache = cache
        self.clock = clock
        self.log = log
        self.amodb = amodb
    }
}
