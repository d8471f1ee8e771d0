internal import CMicroHTTPD
internal import Glibc

/// What is to be known of a request's head before it is answered: whether it means the same to everybody.
///
/// A front end and this server must agree where each request ends, or one client's bytes become another's request. Whatever two parsers
/// could read differently is refused: line ends other than CRLF, zero bytes, folded lines, blanks before a colon, a length said twice.
struct RequestHead {
    /// 0, or the status to refuse it with.
    private(set) var refusal = 0
    private(set) var contentLength = 0

    private var connection: OpaquePointer
    private var hasLength = false
    private var hasCoding = false
    private var hosts = 0
    /// Where the next name must begin, when the head is kept as it came.
    private var next: UnsafePointer<CChar>?

    /// Looks at all of it, without copying any.
    ///
    /// - Parameters:
    ///   - target: where the library keeps it and how long it was; it has undone the percent encoding in place since.
    ///   - isTargetClean: what ``isClean(_:)`` said of it before.
    init(
        of connection: OpaquePointer, method: UnsafePointer<CChar>, target: UnsafeBufferPointer<CChar>,
        isTargetClean: Bool, version: UnsafePointer<CChar>
    ) {
        self.connection = connection
        let methodBytes = strlen(method)
        if posterity_mhd_keeps_head() != 0, let start = target.baseAddress {
            // METHOD SP target SP HTTP/1.1 CRLF
            if method + methodBytes + 1 != start || start + target.count + 1 != version { refusal = 400 }
            next = version + strlen(version) + 2
        }
        for index in 0..<methodBytes where !Self.isToken(method[index]) { refusal = 400 }
        if !isTargetClean { refusal = 400 }
        withUnsafeMutablePointer(to: &self) { head in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameBytes, value, valueBytes in
                    let head = context!.assumingMemoryBound(to: RequestHead.self)
                    head.pointee.add(name, nameBytes, value, valueBytes)
                    return .YES
                }, head)
        }
        if let next, next + 2 != method + posterity_mhd_head_bytes(connection) { refusal = 400 }
        if hosts > 1 { refusal = 400 }
        // Chunks are one more thing that parsers disagree on, and nobody who asks for pictures needs them.
        if hasCoding { refusal = hasLength ? 400 : 411 }
    }

    // MARK: - Private

    private mutating func add(
        _ name: UnsafePointer<CChar>?, _ nameBytes: Int, _ value: UnsafePointer<CChar>?, _ valueBytes: Int
    ) {
        guard let name, let value, nameBytes > 0 else {
            refusal = 400
            return
        }
        if let expected = next {
            let blanks = value - (name + nameBytes + 1)
            if name != expected || blanks < 0 || blanks > 64 { refusal = 400 }
            next = value + valueBytes + 2
        }
        for index in 0..<nameBytes where !Self.isToken(name[index]) { refusal = 400 }
        for index in 0..<valueBytes where Self.isControl(value[index]) { refusal = 400 }
        switch nameBytes {
        case 4 where Self.equal(name, "host", 4): hosts += 1
        case 14 where Self.equal(name, "content-length", 14):
            if hasLength { refusal = 400 }
            hasLength = true
            // The library has refused what is not a number, or too large for one.
            contentLength = Int(strtoull(value, nil, 10) & UInt64(Int.max))
        case 17 where Self.equal(name, "transfer-encoding", 17): hasCoding = true
        default: break
        }
    }

    private static func equal(_ name: UnsafePointer<CChar>, _ other: StaticString, _ count: Int) -> Bool {
        strncasecmp(name, UnsafeRawPointer(other.utf8Start).assumingMemoryBound(to: CChar.self), count) == 0
    }

    /// Whether a target is without blanks, control characters, and a zero byte's encoding, at which C would take it to end.
    ///
    /// To be asked as long as the target is as it came: the library undoes the percent encoding in place.
    static func isClean(_ target: UnsafeBufferPointer<CChar>) -> Bool {
        var last: (CChar, CChar) = (0, 0)
        for byte in target {
            if (0...0x20).contains(byte) || byte == 0x7F || (last.0 == 0x25 && last.1 == 0x30 && byte == 0x30) { return false }
            last = (last.1, byte)
        }
        return true
    }

    /// The path and query of a target that names scheme and host as well, as a proxy is sent it (RFC 9112, 3.2.2); any other as it is.
    static func originForm(of target: String) -> String {
        guard target.utf8.first != UInt8(ascii: "/") else { return target }
        for scheme in ["http://", "https://"] {
            guard String(decoding: target.utf8.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme else { continue }
            let rest = target.utf8.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            guard end > rest.startIndex else { return target }
            return (rest[end...].first == UInt8(ascii: "/") ? "" : "/") + String(target[end...])
        }
        return target
    }

    private static func isControl(_ character: CChar) -> Bool {
        (character >= 0 && character < 0x20 && character != 0x09) || character == 0x7F
    }

    /// RFC 9110, 5.6.2: letters, digits and !#$%&'*+-.^_`|~.
    private static func isToken(_ character: CChar) -> Bool {
        switch UInt8(bitPattern: character) {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
