/// How many titles of a run may lack a picture before its site is held back.
package enum MissingAllowance: Sendable, Hashable {
    /// 0 to 100.
    case percent(Double)
    case titles(Int)

    /// `10%`, `2.5%` or a number of titles such as `3`; nil for anything else.
    package init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
            self = .percent(percent)
        } else {
            guard let titles = Int(text), titles >= 0 else { return nil }
            self = .titles(titles)
        }
    }

    package func allows(_ missing: Int, of total: Int) -> Bool {
        switch self {
        case .percent(let percent): Double(missing) * 100 <= percent * Double(total)
        case .titles(let titles): missing <= titles
        }
    }
}

extension MissingAllowance: CustomStringConvertible {
    package var description: String {
        switch self {
        case .percent(let percent): percent == percent.rounded() ? "\(Int(percent)) %" : "\(percent) %"
        case .titles(let titles): "\(titles)"
        }
    }
}
