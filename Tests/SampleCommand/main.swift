internal import Commands
internal import Core

private let count = Flag("count", .integer(0...1_000_000), default: 100, "How many steps to take")
private let pause = Flag("pause", .duration(), default: .milliseconds(10), "How long each step takes")
private let note = Flag("note", .text("TEXT"), default: "-", "What to show behind the counts")

/// Takes its time, with a progress bar and log lines, and stops when asked.
private let walk = Verb("walk", "Take some steps", flags: [count, pause, note]) { arguments, context in
    try context.output.writeLine("started")
    let steps = arguments[count]
    do {
        try await context.withProgress("walking", unit: "steps", total: steps) { bar in
            bar.note(arguments[note])
            for step in 1...max(1, steps) {
                try await Task.sleep(for: arguments[pause])
                bar.advance(bytes: ByteCount(1_000))
                if step % 10 == 0 { context.log.info("step \(step)") }
            }
        }
    } catch is CancellationError {
        context.log.warning("stopped early")
        return .incomplete
    }
    try context.output.writeLine("arrived")
    return .done
}

/// Does not stop when asked.
private let stay = Verb("stay", "Stay where one is") { _, context in
    try context.output.writeLine("started")
    while true { try? await Task.detached { try await Task.sleep(for: .milliseconds(50)) }.value }
}

/// Waits, and ends by cancellation when asked to stop.
private let sleep = Verb("sleep", "Sleep for a minute") { _, context in
    try context.output.writeLine("started")
    try await Task.sleep(for: .seconds(60))
    return .done
}

/// Serves until asked to stop, and calls that done.
private let serve = Verb("serve", "Serve until stopped") { _, context in
    try context.output.writeLine("started")
    try? await Task.sleep(for: .seconds(60))
    return .done
}

/// Writes more than a pipe holds.
private let pour = Verb("pour", "Write a lot", flags: [count]) { arguments, context in
    for line in 0..<arguments[count] { try context.output.writeLine("line \(line)") }
    return .done
}

private let program = Program(version: "1.0", summary: "A sample of commands", verbs: [walk, stay, sleep, serve, pour])
program.main(CommandLine.arguments, .captured())
