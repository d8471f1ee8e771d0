internal import CLinux
internal import Core
internal import Glibc

/// A program that runs beside a test, its streams held by a thread of their own.
///
/// Its output is read ahead by no more than a little until someone asks for it, so that a program that writes much is held up as by a
/// slow reader. Its standard error is always taken.
package final class RunningTool: Sendable {
    private struct State {
        var input: [UInt8]
        var endsInput = false
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var wantsAllOutput = false
        var closesOutput = false
        var outputHasEnded = false
        /// When the program is to be killed; nil while no one waits for it.
        var deadline: ContinuousClock.Instant?
        var wasTooSlow = false
        /// When nothing more is read: what a killed program has started may hold its streams open for long.
        var endOfReading: ContinuousClock.Instant?
        var isReaped = false
        var status: Int32?
        var peakMegabytes = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    package let pid: Int32
    private let name: String
    private let wakeUp: Pipe
    private let state: Mutex<State>

    init(
        _ program: String, _ arguments: [String], environment: [String: String]?, directory: String?, input: [UInt8],
        descriptors: [Int32: Int32]
    ) throws {
        name = ([program] + arguments.prefix(6)).joined(separator: " ")
        state = Mutex(State(input: input))
        wakeUp = try Pipe(isWriterNonblocking: true)
        let (input, output, errors) = (try Pipe(isWriterNonblocking: true), try Pipe(), try Pipe())
        // In this order: the numbers of `descriptors` may be those of the pipes' ends, which have been handed over by then.
        var handedOver = [(source: input.reader.raw, target: Int32(0)), (output.writer.raw, 1), (errors.writer.raw, 2)]
        for (target, source) in descriptors { handedOver.append((source, target)) }
        pid = try Self.spawn(program, arguments, environment, directory, handedOver)
        let streams = Streams(input: input.writer, output: output.reader, errors: errors.reader)
        DedicatedThread { [self] in tend(streams) }.detach()
    }

    // MARK: - What a test does with it

    /// Sends a signal, unless the program has ended.
    package func signal(_ signal: Int32) {
        state.withLock { state in
            if !state.isReaped { _ = kill(pid, signal) }
        }
    }

    /// The next line of its standard output, without its end; nil when there is none any more.
    package func nextLine() async throws -> String? {
        try await wait { state -> String?? in
            if let end = state.output.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: state.output[..<end], as: UTF8.self)
                state.output.removeSubrange(...end)
                return .some(line)
            }
            guard state.outputHasEnded else { return nil }
            defer { state.output = [] }
            return .some(state.output.isEmpty ? nil : String(decoding: state.output, as: UTF8.self))
        }
    }

    /// Lets it read the end of its standard input.
    package func endInput() { change { $0.endsInput = true } }

    /// Closes the reading end of its standard output, as `head` does when it has seen enough.
    package func closeOutput() { change { $0.closesOutput = true } }

    /// Ends its input, reads what is left of its output, and waits for its end.
    ///
    /// - Throws: `TestSupportError` if it takes longer than ``Tool/patience``; it is killed then.
    package func outcome() async throws -> Tool.Outcome {
        change { state in
            state.endsInput = true
            state.wantsAllOutput = true
        }
        return try await wait { state in
            state.status.map { Tool.Outcome(status: $0, output: state.output, errors: state.errors, peakMegabytes: state.peakMegabytes) }
        }
    }

    /// Kills it if it still runs, and waits until it is gone.
    func killAndWait() async {
        signal(SIGKILL)
        change { state in
            state.wantsAllOutput = true
            state.endOfReading = .now + .seconds(5)
        }
        _ = try? await wait { $0.status }
    }

    // MARK: - Waiting

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        _ = wakeUp.writer.write([0])
    }

    /// Waits until `body` finds in the state what is wanted.
    private func wait<Value: Sendable>(for body: (inout State) -> Value?) async throws -> Value {
        change { $0.deadline = .now + Tool.patience }
        defer { change { $0.deadline = nil } }
        while true {
            var found: Value?
            var wasTooSlow = false
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    found = body(&state)
                    wasTooSlow = state.wasTooSlow && state.status != nil
                    guard found == nil, !wasTooSlow else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
            if wasTooSlow { throw TestSupportError("\(name): hangs; killed after \(Tool.patience)") }
            if let found { return found }
        }
    }

    // MARK: - The thread

    private struct Streams: Sendable {
        let input: Descriptor
        let output: Descriptor
        let errors: Descriptor
    }

    private func tend(_ streams: Streams) {
        // A program that does not read its input must not end the tests.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        while streams.output.isOpen || streams.errors.isOpen {
            let plan = state.withLock { state in
                if state.closesOutput { streams.output.close() }
                if state.endsInput, state.input.isEmpty { streams.input.close() }
                let wantsOutput = state.wantsAllOutput || !state.waiters.isEmpty || state.output.count < 65_536
                return (wantsOutput: wantsOutput, hasInput: !state.input.isEmpty, patience: patience(&state))
            }
            guard let patience = plan.patience else { break }
            var ready = [
                wakeUp.reader.readiness(POLLIN), streams.output.readiness(POLLIN, if: plan.wantsOutput),
                streams.errors.readiness(POLLIN, if: true),
                streams.input.readiness(POLLOUT, if: plan.hasInput),
            ]
            poll(&ready, nfds_t(ready.count), patience)
            if ready[0].revents != 0 { _ = wakeUp.reader.read() }
            let output = ready[1].revents != 0 ? streams.output.read() : []
            let errors = ready[2].revents != 0 ? streams.errors.read() : []
            let waiters = state.withLock { state in
                state.output += output
                state.errors += errors
                state.outputHasEnded = !streams.output.isOpen
                if ready[3].revents != 0 { state.input.removeFirst(streams.input.write(state.input)) }
                return takeWaiters(&state)
            }
            for waiter in waiters { waiter.resume() }
        }
        for stream in [streams.input, streams.output, streams.errors] { stream.close() }
        reap()
    }

    /// Waits for the program's own end, which usually is the end of its streams, but need not be.
    private func reap() {
        while true {
            let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                _ = patience(&state)
                state.outputHasEnded = true
                var status: Int32 = 0
                var usage = rusage()
                guard wait4(pid, &status, WNOHANG, &usage) == pid else { return nil }
                state.isReaped = true
                state.peakMegabytes = usage.ru_maxrss / 1_000
                state.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
                return takeWaiters(&state)
            }
            if let waiters {
                for waiter in waiters { waiter.resume() }
                return
            }
            var ready = [wakeUp.reader.readiness(POLLIN)]
            poll(&ready, 1, 2)
            if ready[0].revents != 0 { _ = wakeUp.reader.read() }
        }
    }

    private func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.waiters = [] }
        return state.waiters
    }

    /// How many milliseconds nothing need happen; nil when reading is over. Kills the program when someone has waited for too long.
    private func patience(_ state: inout State) -> Int32? {
        let now = ContinuousClock.now
        if let deadline = state.deadline, deadline <= now, !state.wasTooSlow, !state.isReaped {
            kill(pid, SIGKILL)
            state.wasTooSlow = true
            state.endOfReading = now + .seconds(5)
        }
        if let end = state.endOfReading, end <= now { return nil }
        let next = [state.wasTooSlow ? nil : state.deadline, state.endOfReading].compactMap { $0 }.min()
        guard let next else { return -1 }
        return Int32(clamping: (next - now).components.seconds * 1_000 + 1_000)
    }

    // MARK: - Starting

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String]?, _ directory: String?,
        _ handedOver: [(source: Int32, target: Int32)]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (source, target) in handedOver { posix_spawn_file_actions_adddup2(&actions, source, target) }
        if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }

        // Code under test blocks and ignores signals; a program must begin as one that is started from a shell.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { $0.map { strdup("\($0)=\($1)") } + [nil] }
        defer { for text in words + (variables ?? []) { free(text) } }
        var pid: pid_t = 0
        let failure =
            variables == nil
            ? posix_spawnp(&pid, program, &actions, &attributes, &words, posterity_environment())
            : posix_spawnp(&pid, program, &actions, &attributes, &words, &variables!)
        guard failure == 0 else { throw TestSupportError("cannot run \(program): \(String(cString: strerror(failure)))") }
        return pid
    }
}
