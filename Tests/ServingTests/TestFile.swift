import FoundationEssentials
import Serving
import TestSupport

/// Runs `body` with a file of 300,000 bytes, of which no two neighbouring thousands are the same.
func withTestFile(_ body: (SharedFile, [UInt8]) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let path = directory + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        try await body(SharedFile(path: path), bytes)
    }
}
