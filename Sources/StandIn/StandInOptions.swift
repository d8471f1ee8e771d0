/// How a stand-in is to behave.
package struct StandInOptions: Sendable {
    /// An IP address; the loopback by default, so that nobody else reaches it.
    package var host = "127.0.0.1"
    /// 0 for any port that is free.
    package var port = 0
    /// A port of its own for the image host, as in the real world; 0 for any that is free, nil for the API's port.
    package var imagesPort: Int?
    /// API keys that are let in.
    package var keys = ["posterity-demo"]
    /// Keys that are answered with 402: the plan's period is over.
    package var expiredKeys = ["posterity-expired"]
    /// Keys that are answered with 401 although they exist: suspended.
    package var suspendedKeys = ["posterity-suspended"]
    /// Requests that a key may make in any 60 seconds before it gets 429; nil for no limit.
    package var requestsPerMinute: Int?
    /// Nil for the sample catalogue of 420 titles; else so many movies, all of them with posters and in every list of movies, and up to 40 series.
    package var titles: Int?
    /// Moves the trending lists: from one week to the next ranks shift, and a few titles come and go.
    package var week = 0
    /// The images' Cache-Control header; nil to send none.
    package var cacheControl: String? = "public, max-age=2592000"
    /// Whether images carry ETag and Last-Modified and heed If-None-Match and If-Modified-Since.
    package var sendsValidators = true
    /// Tried in order for each request; the first that fits it spoils the answer.
    package var faults: [FaultRule] = []
    /// Whether w185, w342 and w500 of every poster are painted before the stand-in says that it is ready.
    package var prepaints = false
    /// A directory in which painted posters are kept for the next start; nil for none.
    package var store: String?
    /// How many bytes of painted posters are held in memory.
    package var memoryBytes = 256_000_000
    /// How many threads paint; nil for as many as there are cores.
    package var paintThreads: Int?

    package init() {}
}
