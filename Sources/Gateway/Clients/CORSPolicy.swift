/// Which web pages of other origins may read what is answered.
struct CORSPolicy: Sendable {
    private let allowsEverybody: Bool
    private let origins: Set<String>

    /// - Parameter origins: such as `https://films.example`, or `*` for all.
    init(_ origins: [String]) {
        allowsEverybody = origins.contains("*")
        self.origins = Set(origins)
    }

    var isEmpty: Bool { origins.isEmpty }

    /// - Parameter origin: the request's header of that name; is asked for only when it matters.
    func allowed(_ origin: @autoclosure () -> String?) -> AllowedOrigin? {
        if allowsEverybody { return .everybody }
        guard !origins.isEmpty else { return nil }
        // Caches in between must know that another origin gets another answer, also when this one gets none.
        guard let origin = origin(), origins.contains(origin) else { return .nobody }
        return .one(origin)
    }

    /// What a browser is told that asks before it sends a request.
    static let preflight: [(name: String, value: String)] = [
        ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"), ("Access-Control-Allow-Headers", "Authorization, If-None-Match, Range"),
        ("Access-Control-Max-Age", "86400"),
    ]
}

/// Whom an answer may be read by.
enum AllowedOrigin: Sendable, Equatable {
    case everybody
    case one(String)
    case nobody

    private static let exposed = "Age, Content-Range, ETag, Retry-After, X-Cache"

    var headers: [(name: String, value: String)] {
        switch self {
        case .everybody: [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", Self.exposed)]
        case .one(let origin):
            [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", Self.exposed), ("Vary", "Origin")]
        case .nobody: [("Vary", "Origin")]
        }
    }
}
