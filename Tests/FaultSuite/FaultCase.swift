/// One thing that goes wrong, and how to see whether the program bears it.
struct FaultCase: Sendable {
    enum Group: String, Sendable, CaseIterable {
        /// What image hosts answer.
        case wire
        /// What bytes come as a picture.
        case pictures
        /// What the API answers.
        case lists
        /// Certificates and names.
        case hosts
        /// Disks, permissions and limits.
        case cache
        /// Killed, and several at once.
        case processes
        /// What clients send to the gateway.
        case gateway
    }

    /// How long a case takes, and so when it is run.
    enum Pace: Sendable {
        /// A second or two: also in `swift test`.
        case quick
        case ordinary
        /// Waits for timeouts, and so runs beside the others.
        case waiting
        /// Minutes of work.
        case long
    }

    let group: Group
    /// What is done to the program.
    let what: String
    let pace: Pace
    let run: @Sendable (Bench) async throws -> Finding

    init(_ group: Group, _ what: String, _ pace: Pace = .ordinary, _ run: @escaping @Sendable (Bench) async throws -> Finding) {
        self.group = group
        self.what = what
        self.pace = pace
        self.run = run
    }

    static let all = wire + pictures + lists + hosts + cache + processes + gateway
}

/// What a case found: what happened, and what of it should not have.
struct Finding: Sendable {
    var happened: [String] = []
    var problems: [String] = []

    mutating func note(_ what: String) { happened.append(what) }

    mutating func expect(_ holds: Bool, _ problem: @autoclosure () -> String) {
        if !holds { problems.append(problem()) }
    }

    mutating func expect(_ ending: ProgramRun.Ending, status: Int32) {
        expect([status].contains(ending.status), "exit \(ending.status) instead of \(status): \(ending.errors.suffix(300))")
    }
}

/// Why a case could not be tried here.
struct Skipped: Error {
    let why: String

    init(_ why: String) { self.why = why }
}
