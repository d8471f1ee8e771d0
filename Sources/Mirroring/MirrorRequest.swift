package import Amodb
package import Core
package import Imaging
package import Transfer

/// What one run is to do.
package struct MirrorRequest: Sendable {
    /// At least one, without duplicates.
    package var lists: [ListPath] = [.trendingMoviesThisWeek]
    package var extent: AmodbClient.Extent = .pages(1)
    package var language = "en-US"
    /// At least one, without duplicates.
    package var sizes = PosterSize.standard
    /// At least one, without duplicates.
    package var recipes: [Recipe] = [.standard]
    /// When set, only this size is fetched, and the renditions of every size are made from it.
    package var deriveFrom: PosterSize?
    /// What to ask of each title beyond its list; nothing when empty.
    package var details: [DetailPart] = []
    /// Such as `https://img.amodb.dev/t/p`.
    package var images: WebAddress
    /// Asks the hosts again, however fresh what is kept may be.
    package var refresh = false
    /// Asks again for pictures and titles that were not there a short while ago.
    package var retryMissing = false
    /// When set, only these URLs are asked for, whatever is kept of them; of all others what is kept will do.
    package var retrying: Set<String>?
    /// When it comes, the run ends with what it has.
    package var deadline: Deadline?
    /// Pictures that cannot be had are errors in the log, not warnings.
    package var saysFailuresAsErrors = false
    package var limits = MirrorLimits()

    package init(images: WebAddress) {
        self.images = images
    }
}

/// What a run may hold at once, so that its memory does not grow with the list.
package struct MirrorLimits: Sendable {
    /// Downloads in flight.
    package var downloads = 16
    /// Downloaded bytes in memory, counted by what a download may grow to.
    package var bytesHeld = ByteCount(256_000_000)
    /// Pixels being decoded; a decoded pixel takes three to eight bytes.
    package var pixelsHeld = 64_000_000
    /// A larger poster is refused. The largest of real ones, w500, have some 200 kB.
    package var posterBytes = ByteCount(8_000_000)
    /// The same for the size `original`.
    package var originalBytes = ByteCount(32_000_000)
    /// From the first byte sent to the last received.
    package var posterDeadline = Duration.seconds(60)

    package init() {}
}
