internal import Core

/// How the files of pictures are named within `assets/`.
package struct AssetLayout: Sendable, Equatable {
    /// `<digest>.<ext>`: a name that never stands for other bytes, so that it may be cached for ever.
    package static let byDigest = AssetLayout(parts: nil, isASCII: false)

    enum Part: Sendable, Equatable {
        case literal(String)
        /// Numbers are filled up with zeros to `digits`.
        case field(Field, digits: Int)
    }

    enum Field: String, Sendable, CaseIterable {
        case rank, slug, width, height, ext, id, list, kind, week, year, digest
    }

    /// Nil: by digest.
    let parts: [Part]?
    let isASCII: Bool

    /// - Parameters:
    ///   - template: such as `{rank:03}-{slug}-{width}.{ext}`.
    ///   - isASCII: whether names are written in ASCII letters only.
    /// - Throws: ``SiteError/badOption(_:)``, which says what is allowed.
    package init(_ template: String, isASCII: Bool = false) throws(SiteError) {
        var parts: [Part] = []
        var literal = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            guard character == "{" else {
                guard !FileName.isForbidden(character), character != "}" else {
                    throw Self.refusal(of: template, "\"\(String(character).printable)\" cannot stand in a file's name")
                }
                literal.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else { throw Self.refusal(of: template, "a { has no }") }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
            parts.append(try Self.field(rest[..<end], of: template))
            rest = rest[rest.index(after: end)...]
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        guard parts.last == .field(.ext, digits: 0), case .literal(let before)? = parts.dropLast().last, before.hasSuffix(".")
        else { throw Self.refusal(of: template, "it has to end in .{ext}, by which web servers know a picture") }
        self.parts = parts
        self.isASCII = isASCII
    }

    // MARK: - Private

    private init(parts: [Part]?, isASCII: Bool) {
        self.parts = parts
        self.isASCII = isASCII
    }

    private static func field(_ text: Substring, of template: String) throws(SiteError) -> Part {
        let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let field = Field(rawValue: String(pieces[0])) else {
            throw refusal(of: template, "there is no {\(String(text).printable)}")
        }
        guard pieces.count == 2 else { return .field(field, digits: 0) }
        guard [.rank, .width, .height, .id, .year].contains(field), let digits = Int(pieces[1]), (1...12).contains(digits) else {
            throw refusal(of: template, "{\(String(text).printable)} is not a number's name with a count of digits, as {rank:03} is")
        }
        return .field(field, digits: digits)
    }

    private static func refusal(of template: String, _ reason: String) -> SiteError {
        let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        return .badOption("--layout \"\(template.printable)\": \(reason). It is made of plain text and \(fields)")
    }
}
