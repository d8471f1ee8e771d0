package import Core
internal import FoundationEssentials
internal import Glibc

/// The file of tokens: made and changed by `posterity token`, read by the gateway. It is replaced whole, and only its owner may read it.
///
/// It may be a link; then what that leads to is replaced.
package struct TokenFile: Sendable {
    private struct Content: Codable {
        var version = 1
        var tokens: [TokenRecord] = []
    }

    private static let longestName = 64
    private static let maximumBytes = 16_000_000

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The tokens, oldest first.
    ///
    /// - Throws: ``TokenFileError``
    package func records() throws(TokenFileError) -> [TokenRecord] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw TokenFileError(path, "cannot be read: \(systemText(errno))", number: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw TokenFileError(path, "cannot be read: \(systemText(errno))", number: errno) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= Self.maximumBytes else { throw TokenFileError(path, "is too large to be a file of tokens") }
        }
        do {
            let content = try JSONText.decode(Content.self, from: bytes)
            guard content.version == 1 else { throw TokenFileError(path, "was written by a newer posterity") }
            return content.tokens
        } catch let error as TokenFileError {
            throw error
        } catch {
            throw TokenFileError(path, "is no file of tokens, or damaged; make tokens with `posterity token new`")
        }
    }

    /// Makes a token, and the file if there is none.
    ///
    /// - Parameter show: is given the token's text before anything is changed: nothing is, if it throws, as nobody would know the token.
    /// - Returns: the token's text, which cannot be had again.
    /// - Throws: ``TokenFileError``
    @discardableResult
    package func add(
        named name: String, clock: WallClock, showing show: (String) throws -> Void = { _ in }
    ) throws(TokenFileError) -> String {
        guard !name.isEmpty, name.utf8.count <= Self.longestName, name.utf8.allSatisfy(Self.isOfName) else {
            throw TokenFileError(path, "takes names of letters, digits, -, _ and . alone, at most \(Self.longestName) of them")
        }
        return try change { records throws(TokenFileError) in
            guard !records.contains(where: { $0.name == name }) else {
                throw TokenFileError(path, "has a token called \(name) already; revoke it, or choose another name")
            }
            let (text, record) = AccessToken.new(named: name, createdAt: clock.now().iso8601)
            do { try show(text) } catch { throw TokenFileError(path, "gets no new token, as it cannot be shown: \(error)") }
            records.append(record)
            return text
        }
    }

    /// Takes a token away.
    ///
    /// - Throws: ``TokenFileError``, also when there is none of that name.
    package func revoke(_ name: String) throws(TokenFileError) {
        try change { records throws(TokenFileError) in
            guard let index = records.firstIndex(where: { $0.name == name }) else {
                let nearest = Suggestion.nearest(to: name, among: records.map(\.name)).map { "; did you mean \($0)?" } ?? ""
                throw TokenFileError(path, "has no token called \(name.printable)\(nearest)")
            }
            records.remove(at: index)
        }
    }

    // MARK: - Private

    /// Changes the tokens while no other process does.
    private func change<Value>(
        _ body: (inout [TokenRecord]) throws(TokenFileError) -> Value
    ) throws(TokenFileError) -> Value {
        let path = try resolvedPath()
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw TokenFileError(path, "cannot be made: \(parent): \(systemText(errno))") }
        defer { close(folder) }
        // The folder, as the file itself is replaced. Given back with the descriptor.
        while flock(folder, LOCK_EX) != 0 {
            guard errno == EINTR else { throw TokenFileError(path, "cannot be locked: \(systemText(errno))") }
        }
        var records: [TokenRecord]
        do throws(TokenFileError) {
            records = try self.records()
        } catch {
            guard error.number == ENOENT else { throw error }
            records = []
        }
        let value = try body(&records)
        try replace(path, with: records, in: folder)
        return value
    }

    /// Where the file itself is, which is replaced; a link that leads to it stays.
    private func resolvedPath() throws(TokenFileError) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let failure = errno
        var status = stat()
        // Not there yet. A link to nothing is not replaced by a file either.
        if failure == ENOENT, lstat(path, &status) != 0 { return path }
        throw TokenFileError(path, failure == ENOENT ? "is a link that leads nowhere" : "cannot be read: \(systemText(failure))")
    }

    private func replace(_ path: String, with records: [TokenRecord], in folder: Int32) throws(TokenFileError) {
        let bytes: [UInt8]
        do { bytes = try JSONText.encode(Content(tokens: records)) } catch { throw TokenFileError(path, "cannot be written: \(error)") }
        let temporary = "\(path).\(getpid()).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TokenFileError(path, "cannot be written: \(systemText(errno))") }
        var written = 0
        var failure: Int32 = 0
        while written < bytes.count, failure == 0 {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count >= 0 { written += count } else if errno != EINTR { failure = errno }
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        close(descriptor)
        if failure == 0, rename(temporary, path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw TokenFileError(path, "cannot be written: \(systemText(failure))")
        }
        fsync(folder)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// What is wrong with a file of tokens.
package struct TokenFileError: Error, CustomStringConvertible {
    package let description: String
    /// The system's, if it is one of its errors.
    let number: Int32?

    init(_ path: String, _ what: String, number: Int32? = nil) {
        description = "the tokens file \(path.printable) \(what)"
        self.number = number
    }
}
