package import Core
internal import Glibc

/// Standard error: log lines and the progress bar, which share it without tearing each other.
///
/// Every write is one call with whole lines in it, made under the lock.
package final class Console: Sendable {
    private struct State {
        /// What stands on the last line now; empty for nothing.
        var bar = ""
    }

    package let terminal: Terminal
    /// Log lines below this are not printed.
    package let minimum: Log.Level
    private let start = ContinuousClock.now
    private let state = Mutex(State())
    /// What writes in this console's place; nil when whoever prints waits until it is written.
    private let scribe: Scribe<String>?

    /// - Parameter isQueued: whether nobody is to wait for what is printed, and what nobody reads is lost; for a verb that serves.
    package init(_ terminal: Terminal, minimum: Log.Level = .info, isQueued: Bool = false) {
        self.terminal = terminal
        self.minimum = minimum
        scribe = isQueued ? Self.scribe(on: terminal) : nil
    }

    /// A log whose lines are printed here.
    package var log: Log {
        Log(minimum: minimum) { level, text in self.print(level, text) }
    }

    /// Prints `line`, above the bar if there is one.
    package func printLine(_ line: String) {
        state.withLock { state in
            put(state.bar.isEmpty ? line + "\n" : "\r\u{1B}[K" + line + "\n" + state.bar)
        }
    }

    /// Draws `bar` in place of what the last line shows; an empty one wipes it.
    func show(bar: String) {
        state.withLock { state in
            guard bar != state.bar else { return }
            put("\r" + bar + "\u{1B}[K")
            state.bar = bar
        }
    }

    /// Wipes the bar for as long as `body` writes to the same terminal.
    func withoutBar<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        let failure: Failure? = state.withLock { state in
            if !state.bar.isEmpty { put("\r\u{1B}[K") }
            defer { if !state.bar.isEmpty { put(state.bar) } }
            do throws(Failure) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// The last words before a verb is left behind, without the lock: whoever holds it may never let go. Nor does it wait for a reader.
    func abandon() {
        let line = terminal.canRedraw ? "\r\u{1B}[K" : ""
        let scribe = scribe ?? Self.scribe(on: terminal)
        scribe.add(line + "posterity: stopped before it was done; what was kept is sound; run the same command to go on\n")
        scribe.close(within: Self.lastMilliseconds)
    }

    /// Gives what is queued the time to be written, but not for ever. Nothing more can be printed by a queued console.
    func close() { scribe?.close(within: Self.lastMilliseconds) }

    // MARK: - Private

    /// Log lines that may wait to be written.
    private static let mostWaiting = 10_000
    /// How long the end of a process waits for what was said last.
    private static let lastMilliseconds = 500

    private static func scribe(on terminal: Terminal) -> Scribe<String> {
        Scribe(named: "log", mostWaiting: mostWaiting) { lines, lost in
            for line in lines { write(line, to: terminal) }
            if lost > 0 { write("posterity: \(terminal.style.warning("warning: "))\(lost) log lines were lost\n", to: terminal) }
        }
    }

    private func print(_ level: Log.Level, _ text: String) {
        let style = terminal.style
        let name =
            switch level {
            case .error: style.error("error: ")
            case .warning: style.warning("warning: ")
            case .info, .debug: ""
            }
        printLine("posterity: " + (minimum == .debug ? style.faint(elapsed) + " " : "") + name + text)
    }

    /// `1.234s`, since the start.
    private var elapsed: String {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let thousandths = String(1_000 + attoseconds / 1_000_000_000_000_000).dropFirst()
        return "\(seconds).\(thousandths)s"
    }

    private func put(_ text: String) {
        if let scribe { scribe.add(text) } else { Self.write(text, to: terminal) }
    }

    /// When standard error itself fails there is nobody left to tell.
    private static func write(_ text: String, to terminal: Terminal) {
        _ = Descriptor.writeAll(Array(text.utf8), to: terminal.descriptor)
    }
}
