package import Amodb
internal import Core
package import Mirroring
internal import Storage
package import Transfer

/// What a gateway works with. Made where the program is configured; the gateway owns none of it.
package struct GatewayServices: Sendable {
    /// Such as `https://api.amodb.dev/3`.
    package let api: WebAddress
    /// Such as `https://img.amodb.dev/t/p`.
    package let images: WebAddress
    /// The owner's key, which is sent to the API and nowhere else; nil when none is set up.
    package let key: Secret?
    /// Where the key came from, for the advice when it is refused.
    package let keySource: String
    /// What every request to the API waits for.
    package let pace: RequestPace
    package let mirror: MirrorServices

    package init(api: WebAddress, images: WebAddress, key: Secret?, keySource: String, pace: RequestPace, mirror: MirrorServices) {
        (self.api, self.images, self.key, self.keySource) = (api, images, key, keySource)
        (self.pace, self.mirror) = (pace, mirror)
    }

    var cache: Cache { mirror.cache }
    var clock: WallClock { mirror.clock }
    var log: Log { mirror.log }
}
