package import Core
internal import Synchronization

/// Shows how far a run is: one live line on a terminal, now and then a plain line elsewhere, nothing with `--quiet`.
///
/// Fed from any thread; drawn by a clock of its own, so that feeding costs a lock and no more.
package final class ProgressBar: Sendable {
    private struct State {
        var line: ProgressLine
        /// When how many were done, oldest first, over the last seconds.
        var samples: [(at: ContinuousClock.Instant, done: Int)]
        var lastPlain: ContinuousClock.Instant
        var lastTenth = 0
        var isOver = false
    }

    private static let interval = Duration.milliseconds(100)
    private static let rateWindow = Duration.seconds(10)
    /// Off a terminal: a line no oftener than the first, no rarer than the second while anything moves.
    private static let plainPause = (least: Duration.seconds(3), most: Duration.seconds(15))

    private let console: Console
    private let state: Mutex<State>

    private init(console: Console, line: ProgressLine) {
        self.console = console
        let now = ContinuousClock.now
        state = Mutex(State(line: line, samples: [(now, line.done)], lastPlain: now))
    }

    /// Runs `body` with a bar that is there as long as it runs, and is wiped when it ends.
    ///
    /// - Parameters:
    ///   - label: what is being done: `mirroring`.
    ///   - unit: what is counted: `pictures`.
    ///   - total: nil when not known yet; ``expect(_:)`` tells it later.
    package static func withBar<Value>(
        _ label: String, unit: String, total: Int? = nil, on console: Console, _ body: (ProgressBar) async throws -> Value
    ) async throws -> Value {
        var line = ProgressLine(label: label, unit: unit)
        line.total = total
        let bar = ProgressBar(console: console, line: line)
        guard console.minimum < .error else { return try await body(bar) }
        defer { bar.end() }
        async let _ = bar.tick()
        return try await body(bar)
    }

    /// More is done: by default one, which went well.
    package func advance(by count: Int = 1, failed: Int = 0, bytes: ByteCount = ByteCount(0)) {
        state.withLock { state in
            state.line.done += count
            state.line.failed += failed
            state.line.bytes += bytes
        }
    }

    /// The total is known, or has changed.
    package func expect(_ total: Int) {
        state.withLock { $0.line.total = total }
    }

    /// Shows `note` behind the counts until the next one; an empty one shows nothing.
    package func note(_ note: String) {
        state.withLock { $0.line.note = note }
    }

    // MARK: - Drawing

    /// Draws ten times a second until cancelled, and so follows a resized terminal as well.
    private func tick() async {
        while !Task.isCancelled {
            draw(at: .now)
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func draw(at now: ContinuousClock.Instant) {
        // Drawn under the lock, so that nothing is drawn after the end.
        state.withLock { state in
            guard !state.isOver else { return }
            Self.measure(&state, now)
            if console.terminal.canRedraw {
                // The last column stays free: some terminals wrap as soon as it is filled.
                let width = console.terminal.columns - 1
                let terminal = console.terminal
                console.show(bar: state.line.render(width: width, unicode: terminal.hasUnicode, style: terminal.style))
            } else if Self.plainLineIsDue(&state, now) {
                console.printLine("posterity: " + state.line.plain)
            }
        }
    }

    private func end() {
        state.withLock { state in
            state.isOver = true
            if console.terminal.canRedraw { console.show(bar: "") }
        }
    }

    private static func measure(_ state: inout State, _ now: ContinuousClock.Instant) {
        state.samples.append((now, state.line.done))
        while state.samples.count > 2, now - state.samples[1].at > rateWindow { state.samples.removeFirst() }
        let (start, before) = state.samples[0]
        let seconds = (now - start) / .seconds(1)
        state.line.rate = seconds >= 0.5 ? Double(state.line.done - before) / seconds : nil
    }

    private static func plainLineIsDue(_ state: inout State, _ now: ContinuousClock.Instant) -> Bool {
        let pause = now - state.lastPlain
        let tenth = state.line.total.map { $0 > 0 ? state.line.done * 10 / $0 : 0 } ?? 0
        guard pause >= plainPause.most || (pause >= plainPause.least && tenth > state.lastTenth) else { return false }
        state.lastPlain = now
        state.lastTenth = tenth
        return true
    }
}
