/// File names that every file system takes: Linux's, macOS's, and Windows's, which is the strictest.
enum FileName {
    /// Of most file systems a name may have 255 bytes; what is left is for those who put something behind it.
    static let maximumBytes = 200

    /// `stem` + `suffix` + `.fileExtension`, cut at the stem's end, between characters, where it would be too long.
    static func safe(stem: String, suffix: String, fileExtension: String) -> String {
        let tail = suffix + "." + fileExtension
        var cut = ""
        var bytes = tail.utf8.count
        for character in stem {
            let character = isForbidden(character) ? "-" : character
            bytes += String(character).utf8.count
            guard bytes <= maximumBytes - 1 else { break }
            cut.append(character)
        }
        // Windows drops dots and spaces at the end, shells hide names that begin with a dot and take "-x" for an option.
        while let last = cut.last, last == "." || last.isWhitespace { cut.removeLast() }
        while let first = cut.first, first == "." || first == "-" || first.isWhitespace { cut.removeFirst() }
        if cut.isEmpty { cut = "picture" }
        return (isReserved(cut + suffix) ? "_" : "") + cut + tail
    }

    /// `text` in lower case with a hyphen for everything between words: letters, marks and digits of every script are kept.
    static func slug(_ text: String) -> String {
        var slug = ""
        var isBetween = false
        for character in text.lowercased() {
            if character.isLetter || character.isNumber {
                if isBetween, !slug.isEmpty { slug.append("-") }
                isBetween = false
                slug.append(character)
            } else if character != "'" && character != "’" {
                isBetween = true
            }
        }
        return slug
    }

    /// Whether some file system refuses the character, or a path, a shell or a reader would misread it.
    static func isForbidden(_ character: Character) -> Bool {
        if "<>:\"/\\|?*".contains(character) { return true }
        return character.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
            case .format: scalar.value != 0x200C && scalar.value != 0x200D
            default: false
            }
        }
    }

    /// Whether Windows takes the name for a device, whatever stands behind its first dot.
    private static func isReserved(_ stem: String) -> Bool {
        let base = (stem.split(separator: ".", omittingEmptySubsequences: false).first ?? "").uppercased()
        let name = base.reversed().drop { $0 == " " }.reversed().map(String.init).joined()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(name) { return true }
        let digits = Set("123456789¹²³")
        return name.count == 4 && (name.hasPrefix("COM") || name.hasPrefix("LPT")) && digits.contains(name.last ?? " ")
    }
}
