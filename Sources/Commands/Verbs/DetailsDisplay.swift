internal import Core
internal import Mirroring

/// Shows on a progress bar how far a run is with its titles' details: behind the pictures' counts as long as there are any to wait for,
/// then in their place.
final class DetailsDisplay: Sendable {
    private struct State {
        var progress: DetailsProgress?
        var hasTakenOver = false
    }

    private let state = Mutex(State())

    func show(_ progress: DetailsProgress, on bar: ProgressBar) {
        let hasTakenOver = state.withLock { state in
            // Events of titles that end at the same time may come in any order.
            if let known = state.progress, known.done > progress.done { return state.hasTakenOver }
            state.progress = progress
            return state.hasTakenOver
        }
        draw(progress, on: bar, hasTakenOver: hasTakenOver)
    }

    /// The pictures are done: from here on the bar counts titles.
    func takeOver(_ bar: ProgressBar) {
        let progress = state.withLock { state in
            state.hasTakenOver = true
            return state.progress
        }
        guard let progress, progress.done < progress.toAsk else { return }
        draw(progress, on: bar, hasTakenOver: true)
    }

    /// `, 20 of 300 titles' details`; empty when there are none to ask for.
    var words: String {
        state.withLock { $0.progress.map { ", the details of \($0.done) of \($0.toAsk) titles" } ?? "" }
    }

    private func draw(_ progress: DetailsProgress, on bar: ProgressBar, hasTakenOver: Bool) {
        // With nothing to wait for the rate tells the time best.
        let wait = progress.wait.flatMap { $0 > .zero ? $0 : nil }
        if hasTakenOver {
            bar.count("Details", unit: "titles", done: progress.done, failed: progress.failed, total: progress.toAsk)
            bar.expectEnd(after: wait)
        } else {
            let left = wait.map { ", " + ProgressLine.text(ofTimeLeft: $0) } ?? ""
            bar.note(progress.done == progress.toAsk ? "" : "details \(progress.done)/\(progress.toAsk)" + left)
        }
    }
}
