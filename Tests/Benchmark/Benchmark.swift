import Core
import FoundationEssentials
import Glibc
import Imaging
import Storage

/// What each stage of the job costs on its own. Built and run by `scripts/bench --stages`.
///
///     Benchmark FOLDER RUNS SCRATCH       FOLDER: posters as w185/NAME.jpg, w342/NAME.jpg, w500/NAME.jpg; SCRATCH: for a cache of its own
///
/// Prints one line a stage and size: "stage<TAB>size<TAB>CPU milliseconds a picture<TAB>wall milliseconds a picture", medians of all runs.
/// A stage that cannot be had alone is the difference between the job with it and the job without.
@main
struct Benchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let runs = Int(arguments[2]), runs > 0 else {
            print("usage: Benchmark FOLDER RUNS SCRATCH")
            exit(2)
        }
        try await Renderer.withRenderer(threads: 1) { renderer in
            for size in ["w185", "w342", "w500"] {
                let posters = try Posters(in: arguments[1], size: size)
                try await PictureStages(renderer: renderer, posters: posters, runs: runs).measure()
                try await StorageStages(posters: posters, runs: runs, scratch: arguments[3]).measure()
            }
        }
    }
}

/// The posters of a size, in memory.
struct Posters {
    let size: String
    let files: [[UInt8]]

    init(in folder: String, size: String) throws {
        self.size = size
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(size)").filter { $0.hasSuffix(".jpg") }.sorted()
        files = try names.prefix(60).map { try Array(Data(contentsOf: URL(filePath: "\(folder)/\(size)/\($0)"))) }
    }
}

/// Milliseconds for one picture.
struct Cost {
    var cpu: Double
    var wall: Double

    static func - (left: Cost, right: Cost) -> Cost { Cost(cpu: left.cpu - right.cpu, wall: left.wall - right.wall) }

    /// The median of some runs of `body`, which works on so many pictures.
    static func of(_ pictures: Int, runs: Int, _ body: () async throws -> Void) async rethrows -> Cost {
        var costs: [Cost] = []
        for _ in 0..<runs {
            let (cpu, wall) = (milliseconds(CLOCK_PROCESS_CPUTIME_ID), milliseconds(CLOCK_MONOTONIC))
            try await body()
            costs.append(
                Cost(
                    cpu: (milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / Double(pictures),
                    wall: (milliseconds(CLOCK_MONOTONIC) - wall) / Double(pictures)))
        }
        return Cost(cpu: median(costs.map(\.cpu)), wall: median(costs.map(\.wall)))
    }

    func report(_ stage: String, _ size: String) {
        func text(_ milliseconds: Double) -> String { "\((milliseconds * 1000).rounded() / 1000)" }
        print("\(stage)\t\(size)\t\(text(cpu))\t\(text(wall))")
    }

    private static func milliseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
