package import Core

/// The names in a cache directory, all relative to its root.
package enum CacheLayout {
    package static let formatFile = "posterity.json"
    package static let indexFile = "index.sqlite"
    package static let objects = "objects"
    package static let runs = "runs"
    package static let pins = "pins"
    package static let temporary = "tmp"
    package static let locks = "locks"
    package static let damaged = "damaged"

    /// The directories that every cache has.
    static let directories = [objects, runs, pins, temporary, locks]

    /// `objects/<ab>/<digest>.<ext>`.
    package static func path(of digest: Digest, extension: String) -> String {
        "\(objects)/\(objectName(of: digest, extension: `extension`))"
    }

    /// `<ab>/<digest>.<ext>`, as seen from `objects`.
    static func objectName(of digest: Digest, extension: String) -> String {
        let hex = digest.hex
        return "\(hex.prefix(2))/\(hex).\(`extension`)"
    }

    /// The digest and extension that an object's file name states; nil when it is not an object's name.
    static func parse(objectFile name: String, in directory: String) -> (digest: Digest, extension: String)? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let hex = name[..<dot]
        let fileExtension = String(name[name.index(after: dot)...])
        guard let digest = Digest(hex), digest.hex == hex, hex.hasPrefix(directory), directory.utf8.count == 2,
            isExtension(fileExtension)
        else { return nil }
        return (digest, fileExtension)
    }

    /// Whether `text` can be an object's extension: a few lower-case letters or digits.
    static func isExtension(_ text: String) -> Bool {
        (1...8).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// Whether `text` can be a run's name: letters, digits, dots, hyphens and underscores, not beginning with a dot.
    static func isRunName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix(".")
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0))
            }
    }
}
