internal import Amodb
internal import Mirroring
internal import Storage

// Which exit code each module's errors stand for. The modules know nothing of exit codes.

extension AmodbError: ExitCoded {
    package var exitCode: ExitCode {
        switch code {
        case .keyMissing, .keyRefused, .planExpired: .keyRefused
        case .rateLimited: .rateLimited
        case .listNotFound, .titleNotFound, .refused, .badAnswer, .unreachable: .failed
        }
    }
}

extension CacheError: ExitCoded {
    package var exitCode: ExitCode { .cacheTrouble }
}

extension RunLibraryError: ExitCoded {
    package var exitCode: ExitCode {
        switch code {
        case .notFound: .failed
        case .damaged, .newerVersion: .cacheTrouble
        }
    }
}
