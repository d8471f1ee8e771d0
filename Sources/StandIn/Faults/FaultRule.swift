/// Which requests are to go wrong, and how: one line of words, described in `docs/standin.md`.
///
/// `images size=w342 each first=1 status=503 retry-after=1` answers the first request for each picture of that size with a 503.
package struct FaultRule: Sendable, CustomStringConvertible {
    package let description: String
    let selection: FaultSelection
    let effect: FaultEffect

    /// - Throws: `FaultRuleError` naming the word that is wrong.
    package init(_ text: String) throws(FaultRuleError) {
        var selection = FaultSelection()
        var effect = FaultEffect()
        var words: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let value = parts.count > 1 ? String(parts[1]) : nil
            var isKnown = try selection.take(name, value)
            if !isKnown { isKnown = try effect.take(name, value) }
            guard isKnown else { throw FaultRuleError("fault rule “\(text)”: “\(word)” is not a word of it. \(Self.vocabulary)") }
            words.append(word)
        }
        guard !effect.isEmpty else {
            throw FaultRuleError("fault rule “\(text)” does not say what happens. \(Self.vocabulary)")
        }
        description = words.joined(separator: " ")
        self.selection = selection
        self.effect = effect
    }

    /// The rules in `text`, one a line; empty lines and lines that begin with `#` are left out.
    package static func rules(in text: String) throws(FaultRuleError) -> [FaultRule] {
        var rules: [FaultRule] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
            rules.append(try FaultRule(String(line)))
        }
        return rules
    }

    private static let vocabulary =
        "Which requests: \(FaultSelection.words.joined(separator: ", ")); what happens: \(FaultEffect.words.joined(separator: ", "))"
}

/// Reads the values of a rule's words.
enum FaultWord {
    static func whole(_ name: String, _ value: String?, atLeast least: Int = 0) throws(FaultRuleError) -> Int {
        guard let value, let number = Int(value), number >= least else {
            throw FaultRuleError(
                "fault rule: \(name)=\(value ?? "") needs a whole number of at least \(least), as in \(name)=\(max(3, least))")
        }
        return number
    }

    /// A share from 0 to 1, written as a percentage.
    static func share(_ name: String, _ value: String?) throws(FaultRuleError) -> Double {
        guard let value, let number = Double(value.hasSuffix("%") ? value.dropLast() : value[...]), (0...100).contains(number) else {
            throw FaultRuleError("fault rule: \(name)=\(value ?? "") needs a percentage, as in \(name)=50%")
        }
        return number / 100
    }

    /// A text in which `%20` stands for a space, and so on.
    static func text(_ name: String, _ value: String?) throws(FaultRuleError) -> String {
        guard let value, !value.isEmpty else { throw FaultRuleError("fault rule: \(name) needs a value, as in \(name)=…") }
        return decoded(value)
    }

    /// `text` with its percent encoding undone; a percent sign that begins none stays.
    static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ value: String?, _: Choice.Type
    ) throws(FaultRuleError) -> Choice where Choice.RawValue == String {
        guard let value, let choice = Choice(rawValue: value) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw FaultRuleError("fault rule: \(name)=\(value ?? "") is none of: \(choices)")
        }
        return choice
    }
}
