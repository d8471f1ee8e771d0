package import Core

/// Shows how far a run is: one live line on a terminal, now and then a plain line elsewhere, nothing with `--quiet`.
///
/// Fed from any thread; drawn by a clock of its own, so that feeding costs a lock and no more.
package final class ProgressBar: Sendable {
    private struct State {
        var line: ProgressLine
        var rate: ProgressRate
        var pace: PlainPace
        /// When all will be done, when that is known better than by the rate.
        var end: ContinuousClock.Instant?
        var isOver = false
    }

    private static let interval = Duration.milliseconds(100)

    private let console: Console
    private let state: Mutex<State>

    private init(console: Console, line: ProgressLine) {
        self.console = console
        let now = ContinuousClock.now
        state = Mutex(State(line: line, rate: ProgressRate(start: now), pace: PlainPace(start: now)))
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
    ///
    /// - Parameter failed: how many of `count` failed.
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

    /// Counts something else, or counts it further: `done` of `total`.
    package func count(_ label: String, unit: String, done: Int, failed: Int, total: Int) {
        state.withLock { state in
            if state.line.label != label {
                state.line = ProgressLine(label: label, unit: unit)
                state.rate = ProgressRate(start: .now, done: done)
                state.end = nil
            }
            (state.line.done, state.line.failed, state.line.total) = (done, failed, total)
        }
    }

    /// All will be done after `time`, as far as is known now; nil when the rate tells it best.
    package func expectEnd(after time: Duration?) {
        state.withLock { $0.end = time.map { .now + $0 } }
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
            state.line.rate = state.rate.perSecond(done: state.line.done, at: now)
            state.line.timeLeft = state.end.map { max($0 - now, .zero) }
            if console.terminal.canRedraw {
                // The last column stays free: some terminals wrap as soon as it is filled.
                let width = console.terminal.columns - 1
                let terminal = console.terminal
                console.show(bar: state.line.render(width: width, unicode: terminal.hasUnicode, style: terminal.style))
            } else if state.pace.isDue(done: state.line.done, total: state.line.total, at: now) {
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
}
