internal import Core
internal import Glibc

/// A command that runs beside this program and shares its terminal.
struct ChildProcess {
    /// Why a command did not run.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs `command` with `environment` and gives its exit status; 128 and the signal's number when a signal ended it.
    ///
    /// When the task is cancelled the command gets SIGTERM, and is still waited for.
    static func run(_ command: [String], environment: [String: String]) async throws -> Int32 {
        let child = try spawn(command, environment)
        return await WorkerThreads.withThreads(1, named: "child") { thread in
            await withTaskCancellationHandler {
                await thread.run { wait(for: child) }
            } onCancel: {
                kill(child, SIGTERM)
            }
        }
    }

    // MARK: - Private

    private static func spawn(_ command: [String], _ environment: [String: String]) throws(Failure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program blocks the signals that ask it to stop and ignores two others; the command must begin as any other does.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, command[0], nil, &attributes, &arguments, &variables)
        guard failure == 0 else {
            throw Failure(description: "cannot run \(command[0].printable): \(systemText(failure))")
        }
        return child
    }

    private static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}
