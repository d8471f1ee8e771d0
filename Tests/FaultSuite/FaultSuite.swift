import Core
import FoundationEssentials
import Glibc
import TestSupport

/// Runs the built program through everything that can go wrong, and prints a line a case: what was done, what happened, sound or not.
@main
enum FaultSuite {
    private static let usage = "usage: FaultSuite PROGRAM [--quick] [--only TEXT]… [--kills N] [--list]"

    private struct Options {
        var program = ""
        var isQuick = false
        var only: [String] = []
        var kills = 200
        var listsOnly = false
    }

    fileprivate struct Tally {
        var sound = 0
        var unsound: [String] = []
        var skipped = 0
    }

    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let options = options()
        let cases = FaultCase.all.filter { wants($0, options) }
        guard !options.listsOnly else {
            for each in cases { print("\(each.group.rawValue): \(each.what)") }
            return
        }
        let started = ContinuousClock.now
        let tally = try await withTemporaryDirectory { posters in
            let bench = Bench(program: options.program, posters: posters, kills: options.kills)
            return await run(cases, on: bench)
        }
        let seconds = Int((ContinuousClock.now - started) / .seconds(1))
        print("\(tally.sound) sound, \(tally.unsound.count) not, \(tally.skipped) skipped, in \(seconds) s")
        for what in tally.unsound { print("NOT SOUND: \(what)") }
        exit(tally.unsound.isEmpty && tally.sound > 0 ? 0 : 1)
    }

    // MARK: - Private

    private static func options() -> Options {
        var options = Options()
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--quick": options.isQuick = true
            case "--list": options.listsOnly = true
            case "--only": options.only.append(words.popFirst() ?? "")
            case "--kills": options.kills = words.popFirst().flatMap { Int($0) } ?? options.kills
            default: options.program = word
            }
        }
        guard options.listsOnly || access(options.program, X_OK) == 0 else {
            print(usage)
            exit(2)
        }
        if !options.program.hasPrefix("/") { options.program = FileManager.default.currentDirectoryPath + "/" + options.program }
        return options
    }

    private static func wants(_ each: FaultCase, _ options: Options) -> Bool {
        if options.isQuick && each.pace != .quick { return false }
        return options.only.isEmpty || options.only.contains { "\(each.group.rawValue): \(each.what)".contains($0) }
    }

    /// One after the other, each with the whole machine; those that mostly wait run beside them.
    private static func run(_ cases: [FaultCase], on bench: Bench) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for each in cases where each.pace == .waiting { group.addTask { await run(each, on: bench) } }
            group.addTask {
                var tally = Tally()
                for each in cases where each.pace != .waiting { tally += await run(each, on: bench) }
                return tally
            }
            return await group.reduce(into: Tally(), +=)
        }
    }

    /// A line at once, also into a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func run(_ each: FaultCase, on bench: Bench) async -> Tally {
        let started = ContinuousClock.now
        var tally = Tally()
        var finding = Finding()
        let name = "\(each.group.rawValue): \(each.what)"
        do {
            finding = try await each.run(bench)
        } catch let skipped as Skipped {
            say("skipped    \(name) — \(skipped.why)")
            tally.skipped = 1
            return tally
        } catch {
            finding.problems.append("\(error)")
        }
        let seconds = Double(Int((ContinuousClock.now - started) / .milliseconds(100))) / 10
        let story = (finding.happened + finding.problems.prefix(4).map { "!! " + $0 }).joined(separator: "; ").printable
        say("\(finding.problems.isEmpty ? "sound     " : "NOT SOUND ") \(name) — \(story) (\(seconds) s)")
        if finding.problems.isEmpty { tally.sound = 1 } else { tally.unsound.append(name) }
        return tally
    }
}

extension FaultSuite.Tally {
    fileprivate static func += (sum: inout FaultSuite.Tally, more: FaultSuite.Tally) {
        sum.sound += more.sound
        sum.unsound += more.unsound
        sum.skipped += more.skipped
    }
}
