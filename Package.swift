// swift-tools-version: 6.2
import PackageDescription

// One set of settings for every Swift target: the strictest language mode and the features that keep imports and isolation honest.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "posterity",
    products: [.executable(name: "posterity", targets: ["posterity"])],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCairo", pkgConfig: "pangocairo", providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),

        module("Core", ["CCrypto", "CLinux"]),
        module("Transfer", ["CCurl", "CLinux", "Core"]),
        module("Imaging", ["CVips", "CTurboJPEG", "CWebP", "Core"]),
        module("Storage", ["CSQLite", "CLinux", "Core"]),
        module("Drawing", ["CCairo", "Core"]),
        module("Amodb", ["Transfer", "Core"]),
        module("Mirroring", ["Amodb", "Imaging", "Storage", "Transfer", "Core"]),
        module("Reports", ["CLinux", "Mirroring", "Drawing", "Imaging", "Storage", "Core"]),
        module("Serving", ["CMicroHTTPD", "CLinux", "Core"]),
        module("Gateway", ["Serving", "Mirroring", "Amodb", "Imaging", "Storage", "Transfer", "Core"]),
        module("StandIn", ["Serving", "Drawing", "Imaging", "Core"]),
        module("Commands", ["Gateway", "Serving", "Reports", "Mirroring", "Amodb", "Imaging", "Storage", "Transfer", "StandIn", "Core"]),
        .executableTarget(name: "posterity", dependencies: ["Commands"], swiftSettings: settings),

        // A program of a few verbs, run by CommandsTests as a child process.
        .executableTarget(name: "SampleCommand", dependencies: ["Commands"], path: "Tests/SampleCommand", swiftSettings: settings),
        .target(name: "TestSupport", dependencies: ["CLinux", "Core"], path: "Tests/TestSupport", swiftSettings: settings),
        tests("CoreTests", ["Core"]),
        tests("TransferTests", ["Transfer", "Core"]),
        tests("ImagingTests", ["Imaging", "Core"]),
        // A process of its own for the storage tests, to be killed, limited and traced.
        .executableTarget(name: "CacheWorker", dependencies: ["Storage", "Core"], path: "Tests/CacheWorker", swiftSettings: settings),
        tests("StorageTests", ["Storage", "CacheWorker", "Core"]),
        tests("DrawingTests", ["Drawing", "Imaging", "Core"]),
        tests("AmodbTests", ["Amodb", "Transfer", "StandIn", "Core"]),
        tests("MirroringTests", ["Mirroring", "Amodb", "Imaging", "Storage", "Transfer", "StandIn", "Core"]),
        tests("ReportsTests", ["CLinux", "Reports", "Mirroring", "Drawing", "Imaging", "Storage", "Core"]),
        tests("ServingTests", ["Serving", "Core"]),
        tests("StandInTests", ["StandIn", "Serving", "Imaging", "Core"]),
        tests("GatewayTests", ["Gateway", "Serving", "Mirroring", "Amodb", "Imaging", "Storage", "Transfer", "StandIn", "Core"]),
        tests("CommandsTests", ["Commands", "SampleCommand", "Core"], resources: [.copy("Golden")]),
        tests("CareTests", ["Commands", "Mirroring", "Storage", "StandIn", "Imaging", "Transfer", "Amodb", "Core"]),
        // Everything that can go wrong, done to the built program: run whole by scripts/faults, its quick cases by FaultTests.
        .executableTarget(
            name: "FaultSuite", dependencies: ["TestSupport", "StandIn", "Core"], path: "Tests/FaultSuite", swiftSettings: settings),
        tests("FaultTests", ["FaultSuite", "posterity", "Core"]),
        tests("EndToEndTests", ["posterity", "StandIn", "Mirroring", "Core"]),
    ]
)

// Built by scripts/fuzz alone: libFuzzer brings its own main function.
if Context.environment["POSTERITY_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzing", dependencies: ["Amodb", "Imaging", "Transfer", "Core"], path: "Tests/Fuzzing", exclude: ["Seeds"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}

// Built by scripts/bench alone: it is measured with optimisations on, and never a part of the tests.
if Context.environment["POSTERITY_BENCHMARK"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Benchmark", dependencies: ["Imaging", "Storage", "Core"], path: "Tests/Benchmark", swiftSettings: settings))
}
