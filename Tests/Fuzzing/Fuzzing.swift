import Glibc

/// What libFuzzer calls, once for each input; `scripts/fuzz` builds and runs it.
///
/// One program holds all targets: which one is meant is read from `FUZZ_TARGET` at the first input.
enum Fuzzing {
    static let target: any FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = targets[name] else { fatalError("FUZZ_TARGET must be one of \(targets.keys.sorted())") }
        return target
    }()

    private static let targets: [String: any FuzzTarget] = [
        "list": ListTarget(), "details": DetailsTarget(), "recipe": RecipeTarget(), "headers": HeadersTarget(), "path": PathTarget(),
        "image": ImageTarget(),
    ]
}

/// A function of the program that takes a stranger's bytes.
protocol FuzzTarget: Sendable {
    /// Feeds `bytes` to it, and traps when what it makes of them breaks a promise.
    func run(_ bytes: [UInt8])
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Fuzzing.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
