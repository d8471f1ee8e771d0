internal import Core
internal import Glibc

/// Turns the signals that ask a program to stop into the cancellation of a task.
///
/// The signals are blocked and the main thread waits for them, so no code runs in a signal handler. They must be blocked before any other
/// thread starts: threads inherit the mask.
final class Signals: Sendable {
    /// Those that ask to stop.
    private let asking: [Int32]
    private let received = Mutex<Int32?>(nil)

    private init(asking: [Int32]) {
        self.asking = asking
    }

    /// Lets a closed pipe and a file-size limit be errors of the call that meets them, not deaths.
    static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Blocks the signals for all threads to come.
    ///
    /// SIGHUP is left alone where it is ignored: that is how `nohup` works.
    static func block() -> Signals {
        var asking = [SIGINT, SIGTERM]
        var hangup = sigaction()
        sigaction(SIGHUP, nil, &hangup)
        if unsafeBitCast(hangup.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) {
            asking.append(SIGHUP)
        }
        // A shell without job control starts what it puts in the background with SIGINT ignored; one sent on purpose is meant all the same.
        for asked in asking { signal(asked, SIG_DFL) }
        let signals = Signals(asking: asking)
        var set = signals.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        return signals
    }

    /// The signal that came first, if any did.
    var first: Int32? { received.withLock { $0 } }

    /// Waits for a signal, then calls `stop`; the process ends elsewhere, by `exit`, when all has stopped.
    ///
    /// A second signal ends the process at once, and so does the end of `grace`: whoever stops a program waits no longer, and what it
    /// keeps on disk is sound at every instant.
    ///
    /// - Parameter abandon: called before the process ends so, to say it; must not wait for a lock.
    func wait(grace: Duration, stop: () -> Void, abandon: () -> Void) -> Never {
        var set = set
        var first: Int32 = 0
        while sigwait(&set, &first) != 0 {}
        received.withLock { $0 = first }
        stop()
        let end = ContinuousClock.now + grace
        var second: Int32
        repeat {
            let (seconds, attoseconds) = max(.zero, end - .now).components
            var timeout = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            second = sigtimedwait(&set, nil, &timeout)
            // Interrupted is not over: whoever ends here does not wait for what is being stopped.
        } while second < 0 && errno == EINTR
        abandon()
        // exit() would run destructors beside threads that still work.
        _exit(128 + (second > 0 ? second : first))
    }

    // MARK: - Private

    private var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in asking { sigaddset(&set, signal) }
        return set
    }
}
