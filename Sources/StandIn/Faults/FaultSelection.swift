/// Which requests a fault rule is for.
struct FaultSelection: Sendable {
    static let words = ["api", "images", "path=TEXT", "size=w342", "each", "first=N", "after=N", "every=N", "chance=P%", "seed=N"]

    private var area: RequestArea?
    private var path: String?
    private var size: String?
    /// Whether requests are counted for each path apart.
    private(set) var countsEachPath = false
    private var first: Int?
    private var after = 0
    private var every: Int?
    private var chance: Double?
    private var seed = 1

    /// Whether the word was one of these.
    mutating func take(_ name: String, _ value: String?) throws(FaultRuleError) -> Bool {
        switch name {
        case "api": area = .api
        case "images": area = .images
        case "path": path = try FaultWord.text(name, value)
        case "size": (area, size) = (.images, try FaultWord.text(name, value))
        case "each": countsEachPath = true
        case "first": first = try FaultWord.whole(name, value, atLeast: 1)
        case "after": after = try FaultWord.whole(name, value)
        case "every": every = try FaultWord.whole(name, value, atLeast: 1)
        case "chance": chance = try FaultWord.share(name, value)
        case "seed": seed = try FaultWord.whole(name, value)
        default: return false
        }
        return true
    }

    /// Whether a request is one of those that are counted.
    func isAbout(area: RequestArea, path: String) -> Bool {
        if let wanted = self.area, wanted != area { return false }
        if let size, !path.hasPrefix("/t/p/\(size)/") { return false }
        guard let text = self.path else { return true }
        return path.contains(text)
    }

    /// Whether the request is hit.
    ///
    /// - Parameter number: its place among those that are counted, from 1.
    func hits(path: String, number: Int) -> Bool {
        let number = number - after
        guard number >= 1 else { return false }
        if let first, number > first { return false }
        if let every, number % every != 0 { return false }
        guard let chance else { return true }
        // By path and not by order of arrival, which differs from run to run.
        let hash = path.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        var random = StableRandom(seed, Int(truncatingIfNeeded: hash), countsEachPath ? number : 0)
        return random.unit() < chance
    }
}
