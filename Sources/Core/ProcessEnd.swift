internal import Glibc

/// The end of a process that cannot go on, where no error can be thrown any more.
package enum ProcessEnd {
    /// Says `sentence` on standard error and ends the process with status 1, without running anything else of it.
    package static func failure(_ sentence: String) -> Never {
        let line = Array("posterity: error: \(sentence.printable)\n".utf8)
        // When standard error itself fails there is nobody left to tell.
        _ = write(STDERR_FILENO, line, line.count)
        // exit() would run destructors beside threads that still work.
        _exit(1)
    }

    /// The end for want of a thread, `number` being what the system said.
    package static func withoutThread(_ number: Int32) -> Never {
        failure(
            "cannot start a thread: \(systemText(number)); allow this user more processes (`ulimit -u`) and more memory (`ulimit -v`), or "
                + "lower --render-threads")
    }
}
