internal import Core

/// The names of a site's files, as pages and feeds link to them: percent-encoded, relative to the site's folder.
struct SiteFiles: Sendable {
    var stylesheet = ""
    var icon = ""
    /// Nil when the site has no contact sheet.
    var sheet: String?
    /// The paths of pictures within the folder, by digest.
    var pictures: [Digest: String] = [:]

    func address(of picture: SitePicture) -> String {
        Self.percentEncoded(pictures[picture.digest] ?? "assets/\(picture.digest.hex).\(picture.fileExtension)")
    }

    /// A path as it stands in a URL, and in a `srcset`, where commas and spaces separate.
    static func percentEncoded(_ path: String) -> String {
        var encoded: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
