/// A dictionary that forgets what has not been used for long, so that it holds no more than so much.
///
/// Two generations: what is used moves into the young one; when that holds half of what may be held, it becomes the old one, and what had
/// been old and was not used since is gone. Every step takes the same short time, however much is held.
struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let cost: Int
    }

    private let bound: Int
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var youngCost = 0
    private var oldCost = 0

    /// - Parameter bound: the most that all costs come to together, unless one alone is larger than half of it.
    init(bound: Int) {
        self.bound = bound
    }

    var count: Int { young.count + old.count }
    var cost: Int { youngCost + oldCost }

    subscript(key: Key) -> Value? {
        mutating get {
            if let entry = young[key] { return entry.value }
            guard let entry = old.removeValue(forKey: key) else { return nil }
            oldCost -= entry.cost
            add(entry, for: key)
            return entry.value
        }
    }

    /// - Parameter cost: what keeping it takes, in the unit of the bound.
    mutating func set(_ key: Key, _ value: Value, cost: Int = 1) {
        remove(key)
        add(Entry(value: value, cost: cost), for: key)
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        if let entry = young.removeValue(forKey: key) {
            youngCost -= entry.cost
            return entry.value
        }
        guard let entry = old.removeValue(forKey: key) else { return nil }
        oldCost -= entry.cost
        return entry.value
    }

    mutating func removeAll() {
        (young, old, youngCost, oldCost) = ([:], [:], 0, 0)
    }

    private mutating func add(_ entry: Entry, for key: Key) {
        if youngCost + entry.cost > bound / 2, !young.isEmpty {
            (old, oldCost) = (young, youngCost)
            (young, youngCost) = ([:], 0)
        }
        young[key] = entry
        youngCost += entry.cost
    }
}
