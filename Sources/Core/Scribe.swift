internal import CLinux
internal import Glibc

/// Writes down what others hand in, on a thread of its own that may be held up for as long as it likes: nobody else ever is.
///
/// A disk that is full, a terminal that was stopped and a pipe that nobody reads cost records, not memory, and no thread that works.
package final class Scribe<Record: Sendable>: Sendable {
    private struct State {
        var records: [Record] = []
        var lost = 0
        var isWriting = false
        var isClosed = false
    }

    private let mostWaiting: Int
    private let write: @Sendable ([Record], _ lost: Int) -> Void
    private let monitor = Monitor(State())

    /// Starts the thread, which lives until ``close(within:)``.
    ///
    /// - Parameters:
    ///   - name: what a debugger shows, at most 15 bytes of it.
    ///   - mostWaiting: how many records may wait; more are counted and lost.
    ///   - write: is called on the thread, with what has come in since and how many records were lost after it. It may block.
    package init(named name: String, mostWaiting: Int, write: @escaping @Sendable ([Record], _ lost: Int) -> Void) {
        self.mostWaiting = mostWaiting
        self.write = write
        var thread = pthread_t()
        // Released by the thread itself, the first thing it does.
        let context = Unmanaged.passRetained(Job { [self] in work() })
        let failure = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Job>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else { ProcessEnd.withoutThread(failure) }
        pthread_setname_np(thread, String(name.prefix(15)))
        // Nobody joins it: it may be held up for ever.
        pthread_detach(thread)
    }

    /// Hands a record in; never waits. One that comes after the close is dropped.
    package func add(_ record: Record) {
        monitor.change { state in
            guard !state.isClosed else { return }
            if state.records.count < mostWaiting { state.records.append(record) } else { state.lost += 1 }
        }
    }

    /// Takes no more, lets the thread end when all is written, and waits for that, but no longer than so. Blocks its thread.
    package func close(within milliseconds: Int) {
        monitor.change { $0.isClosed = true }
        let end = timespec.now.advanced(byMilliseconds: milliseconds)
        monitor.wait { state in
            let isDone = state.records.isEmpty && state.lost == 0 && !state.isWriting
            return isDone || !timespec.now.isBefore(end) ? .done(()) : .waitUntil(end)
        }
    }

    private func work() {
        while let (records, lost) = next() {
            write(records, lost)
            monitor.change { $0.isWriting = false }
        }
    }

    /// What there is to write; nil when there is nothing and nothing will come.
    private func next() -> (records: [Record], lost: Int)? {
        monitor.wait { state -> Monitor<State>.Step<(records: [Record], lost: Int)?> in
            guard !state.records.isEmpty || state.lost > 0 else { return state.isClosed ? .done(nil) : .wait }
            defer { (state.records, state.lost, state.isWriting) = ([], 0, true) }
            return .done((state.records, state.lost))
        }
    }
}

/// What a thread is to do, as an object that a pointer can lead to.
private final class Job {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}
