internal import Core
internal import Glibc

/// The tokens that are valid now: read when the gateway starts, and again when their file has changed.
final class TokenBook: Sendable {
    /// A file's version, as far as it can be told without reading it.
    private struct Version: Equatable {
        let device: dev_t
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    private static let interval = Duration.seconds(1)

    private let file: TokenFile
    private let log: Log
    private let alarm: Alarm
    private let records: Mutex<[Substring: TokenRecord]>
    private let version: Mutex<Version?>
    /// Stands in where there is no record, so that a token that nobody has takes as long as one that is wrong.
    private let nobody = AccessToken.new(named: "", createdAt: "").record

    /// - Throws: ``TokenFileError``
    init(_ file: TokenFile, log: Log) throws(TokenFileError) {
        self.file = file
        self.log = log
        alarm = Alarm(log: log)
        // Looked at before it is read: a change in between is then noticed.
        version = Mutex(Version(file.path))
        let read = try file.records()
        records = Mutex(Self.byID(read))
        if read.isEmpty { log.warning("\(file.path) has no tokens, so nobody is let in; make one with `posterity token new NAME`") }
    }

    /// Whose token it is; nil when it is nobody's.
    func name(of token: String) -> String? {
        let id = AccessToken.id(in: token)
        let record = id.flatMap { id in records.withLock { $0[id] } }
        let fits = (record ?? nobody).fits(token)
        return fits ? record?.name : nil
    }

    /// Looks for changes of the file, until cancelled.
    func keepLooking(on threads: WorkerThreads) async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            await threads.run { self.look() }
        }
    }

    // MARK: - Private

    private func look() {
        guard let present = Version(file.path) else {
            alarm.sound("the tokens file \(file.path) is gone; those that were in it stay valid until it is back")
            return
        }
        guard version.withLock({ $0 }) != present else { return }
        do throws(TokenFileError) {
            let read = try file.records()
            records.withLock { $0 = Self.byID(read) }
            log.info("\(file.path) has changed: \(read.count) token\(read.count == 1 ? "" : "s")")
        } catch {
            log.error("\(error); the tokens that were in it stay valid")
        }
        version.withLock { $0 = present }
    }

    private static func byID(_ records: [TokenRecord]) -> [Substring: TokenRecord] {
        Dictionary(records.map { ($0.id[...], $0) }) { first, _ in first }
    }
}
