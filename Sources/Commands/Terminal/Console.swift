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

    package init(_ terminal: Terminal, minimum: Log.Level = .info) {
        self.terminal = terminal
        self.minimum = minimum
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

    /// The last words before a verb is left behind, without the lock: whoever holds it may never let go.
    func abandon() {
        let line = terminal.canRedraw ? "\r\u{1B}[K" : ""
        put(line + "posterity: stopped before it was done; what was kept is sound; run the same command to go on\n")
    }

    // MARK: - Private

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

    /// When standard error itself fails there is nobody left to tell.
    private func put(_ text: String) {
        _ = Descriptor.writeAll(Array(text.utf8), to: terminal.descriptor)
    }
}
