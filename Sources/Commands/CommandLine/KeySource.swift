internal import Core
internal import Glibc

/// Where the API key comes from: a file, or `AMODB_KEY`; never an argument, which every user of the machine could see.
package enum KeySource {
    /// The key, or nil when there is none.
    ///
    /// - Parameters:
    ///   - file: the file of `--key-file`; it goes before the variable.
    ///   - warn: told when others may read the file.
    /// - Throws: ``UsageError`` when the file cannot be read or holds no key.
    package static func key(file: String?, _ environment: Environment, warn: (String) -> Void) throws(UsageError) -> String? {
        guard let file else {
            guard let text = environment["AMODB_KEY"] else { return nil }
            let key = trimmed(text)
            return key.isEmpty ? nil : try checked(key, from: "AMODB_KEY")
        }
        // Not blocking: a pipe that nobody writes to would be waited for without a word.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw UsageError("the key file \(file) cannot be read: \(systemText(errno))") }
        defer { close(descriptor) }
        var status = stat()
        // A pipe or /dev/fd/N is as good as a file, but has no permissions worth a warning.
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_IRGRP | S_IROTH) != 0 {
            warn("others on this machine can read the key file \(file); chmod 600 keeps it to you")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        let isPipe = status.st_mode & S_IFMT == S_IFIFO
        var chancesForWriter = isPipe ? writerChances : 0
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // There is a writer, however slow: it may be asking somebody for a password.
                chancesForWriter = 0
                var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
                continue
            }
            guard count >= 0 else { throw UsageError("the key file \(file) cannot be read: \(systemText(errno))") }
            if count == 0, bytes.isEmpty, chancesForWriter > 0 {
                chancesForWriter -= 1
                usleep(20_000)
                continue
            }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= 65_536 else { throw UsageError("the key file \(file) is too long to hold a key") }
        }
        // Some editors begin a file with a byte order mark, which nobody sees.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let key = trimmed(String(decoding: text, as: UTF8.self))
        guard !key.isEmpty else {
            throw UsageError(isPipe ? "nobody writes a key to the pipe \(file)" : "the key file \(file) is empty")
        }
        return try checked(key, from: "the key file " + file)
    }

    // MARK: - Private

    /// How often a pipe without a writer is looked at again: two seconds in all.
    private static let writerChances = 100

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// A key goes into a header line, so it must be one word of visible ASCII. The message must not show it.
    private static func checked(_ key: String, from place: String) throws(UsageError) -> String {
        guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("\(place) holds something that cannot be a key: more than one word, or characters that are not ASCII")
        }
        return key
    }
}
