/// How movement is shown: a small sign for the eye, words for the ear.
struct MovementMark {
    let sign: String
    let words: String
    let className: String

    /// Nil for a title that stayed where it was: no mark is quieter than one for nothing.
    init?(_ movement: Movement) {
        switch movement {
        case .new: (sign, words, className) = ("New", "New this week", "new")
        case .back: (sign, words, className) = ("Back", "Back in the list", "back")
        case .up(let places): (sign, words, className) = ("▲ \(places)", "Up \(Self.counted(places))", "up")
        case .down(let places): (sign, words, className) = ("▼ \(places)", "Down \(Self.counted(places))", "down")
        case .same: return nil
        }
    }

    private static func counted(_ places: Int) -> String { places == 1 ? "1 place" : "\(places) places" }
}
