package import Core
internal import Glibc

extension ValueParser where Value == String {
    /// Any text but the empty one.
    package static func text(_ placeholder: String) -> ValueParser {
        ValueParser(placeholder) { text in
            guard !text.isEmpty else { throw ValueError("is empty") }
            return text
        }
    }

    /// An address that begins with http:// or https://; whether it is allowed is for Transfer to say.
    package static var url: ValueParser {
        ValueParser("URL") { text in
            let lower = text.lowercased()
            guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else {
                throw ValueError("is not an address that begins with https:// or http://")
            }
            return text
        }
    }

    /// A file that can be read.
    package static var existingFile: ValueParser {
        ValueParser("FILE", completion: .files) { text in
            try check(text, mode: R_OK)
            guard !isDirectory(text) else { throw ValueError("is a directory, not a file") }
            return text
        }
    }

    /// A directory that is there.
    package static var existingDirectory: ValueParser {
        ValueParser("DIR", completion: .directories) { text in
            try check(text, mode: F_OK)
            guard isDirectory(text) else { throw ValueError("is not a directory") }
            return text
        }
    }

    /// A file to write; it need not be there.
    package static var file: ValueParser {
        ValueParser("FILE", completion: .files, parse: text("FILE").parse)
    }

    /// A directory that need not be there yet.
    package static var directory: ValueParser {
        ValueParser("DIR", completion: .directories, parse: text("DIR").parse)
    }

    /// An image size as the host names it: `w342`, `h632`, `original`.
    package static var size: ValueParser {
        let usual = ["w92", "w154", "w185", "w342", "w500", "w780", "original"]
        return ValueParser("SIZE", completion: .values(usual)) { text in
            if text == "original" { return text }
            let number = text.dropFirst()
            guard text.hasPrefix("w") || text.hasPrefix("h"), number.allSatisfy({ ("0"..."9").contains($0) }), !number.hasPrefix("0"),
                let pixels = Int(number), (1...10_000).contains(pixels)
            else {
                let nearest = Suggestion.nearest(to: text, among: usual).map { "; did you mean \($0)?" } ?? ""
                throw ValueError("is not a size (w<N>, h<N> or original)" + nearest)
            }
            return text
        }
    }

    private static func check(_ path: String, mode: Int32) throws(ValueError) {
        guard access(path, mode) == 0 else { throw ValueError("cannot be read: " + systemText(errno)) }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension ValueParser where Value == Int {
    package static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "N") -> ValueParser {
        let wanted = range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        return ValueParser(placeholder) { text in
            guard let number = Int(text), range.contains(number) else { throw ValueError("is not a whole number \(wanted)") }
            return number
        }
    }
}

extension ValueParser where Value == Duration {
    /// A number and its unit: `250ms`, `30s`, `10m`, `2h`, `7d`, or several of them: `1h30m`.
    package static func duration(atLeast least: Duration = .zero, atMost most: Duration = .seconds(366 * 86_400)) -> ValueParser {
        ValueParser("TIME", describe: DurationText.describe) { text in
            guard let duration = DurationText.parse(text) else { throw ValueError("is not a time such as 30s, 10m or 2h") }
            guard duration >= least else { throw ValueError("is shorter than \(DurationText.describe(least))") }
            guard duration <= most else { throw ValueError("is longer than \(DurationText.describe(most))") }
            return duration
        }
    }
}

extension ValueParser where Value == ByteCount {
    /// A number of bytes: `1048576`, `500M`, `2GB`.
    package static func byteCount(atLeast least: ByteCount = ByteCount(0)) -> ValueParser {
        ValueParser("BYTES") { text in
            guard let count = ByteCount(text) else { throw ValueError("is not a number of bytes such as 500M or 2GB") }
            guard count >= least else { throw ValueError("is less than \(least)") }
            return count
        }
    }
}

extension ValueParser {
    /// One of a few words.
    package static func choice(_ choices: [Value], _ placeholder: String) -> ValueParser where Value: RawRepresentable<String> {
        let words = choices.map(\.rawValue)
        return ValueParser(placeholder, completion: .values(words), describe: \.rawValue) { text in
            if let choice = choices.first(where: { $0.rawValue == text }) { return choice }
            if let nearest = Suggestion.nearest(to: text, among: words) {
                throw ValueError("is unknown; did you mean \(nearest)?")
            }
            throw ValueError("is unknown; it can be " + words.joined(separator: ", "))
        }
    }

    /// Several values with commas between, each once, at least one.
    package static func commaList<Element: Hashable & Sendable>(of element: ValueParser<Element>, _ placeholder: String) -> ValueParser
    where Value == [Element] {
        ValueParser(
            placeholder, completion: .commaList(element.completion.values),
            describe: { $0.map(element.describe).joined(separator: ",") },
            parse: { text in
                var values: [Element] = []
                for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                    let part = String(part.drop { $0 == " " })
                    guard !part.isEmpty else { throw ValueError("has an empty place in its list") }
                    let value: Element
                    do {
                        value = try element.parse(part)
                    } catch let error as ValueError where part != text {
                        throw ValueError("will not do: \"\(part)\" \(error.description)")
                    }
                    if !values.contains(value) { values.append(value) }
                }
                return values
            })
    }
}
