internal import Core
internal import Glibc

/// Where each request is written down: by a thread of its own, as the disk or the terminal must hold no answer up.
final class AccessLog: Sendable {
    /// What is not written by then is dropped, and said so: a full disk costs lines, not memory.
    private static let mostWaiting = 50_000
    /// How long the end waits for what is not written yet.
    private static let lastMilliseconds = 2_000

    private let scribe: Scribe<AccessRecord>

    /// - Parameter path: a file that is added to; it may be renamed away, and is then made anew. Nil for standard error.
    /// - Throws: ``AccessLogError`` when the file cannot be opened; not for a pipe that nobody reads yet.
    init(_ form: AccessLogForm, path: String?, log: Log) throws(AccessLogError) {
        let file = Mutex(try AccessLogFile(path))
        let alarm = Alarm(log: log)
        scribe = Scribe(named: "access-log", mostWaiting: Self.mostWaiting) { records, lost in
            var bytes: [UInt8] = []
            for record in records { if form == .json { bytes += record.json } else { bytes += record.line.utf8 } }
            do throws(AccessLogError) {
                try file.withLock { file throws(AccessLogError) in try file.write(bytes) }
            } catch {
                alarm.sound(error.description)
            }
            if lost > 0 { log.warning("the access log is too slow: \(lost) requests were not written down") }
        }
    }

    func write(_ record: AccessRecord) { scribe.add(record) }

    /// Takes no more, and waits for what is left to be written, but not for ever. Blocks its thread.
    func close() { scribe.close(within: Self.lastMilliseconds) }
}

/// How requests are written down.
package enum AccessLogForm: String, Sendable, CaseIterable {
    case lines, json, off
}
