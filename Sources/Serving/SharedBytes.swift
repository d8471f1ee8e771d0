/// Bytes at a fixed address, which any number of answers send from without copying them.
package final class SharedBytes: Sendable {
    // Written once, in the initialiser; only read, from any thread, until the last owner lets go.
    private nonisolated(unsafe) let storage: UnsafeMutableRawBufferPointer

    package init(_ bytes: [UInt8]) {
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        bytes.withUnsafeBytes { storage.copyMemory(from: $0) }
    }

    deinit {
        storage.deallocate()
    }

    package static let empty = SharedBytes([])

    package var count: Int { storage.count }

    /// A copy.
    package var bytes: [UInt8] { Array(storage) }

    /// Valid for as long as this object is kept.
    var baseAddress: UnsafeMutableRawPointer? { storage.baseAddress }
}
