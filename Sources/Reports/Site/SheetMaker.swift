package import Mirroring

/// Makes the contact sheet that a site offers.
package struct SheetMaker: Sendable {
    /// Changes whenever the same run would give other bytes: the drawing's version and its options. A site whose run and identity are
    /// unchanged keeps its sheet without drawing it again.
    package let identity: String
    /// Gets the run, and the runs before it (newest first); gives the bytes of a PNG file.
    package let make: @Sendable (Manifest, [Manifest]) async throws -> [UInt8]

    package init(identity: String, make: @escaping @Sendable (Manifest, [Manifest]) async throws -> [UInt8]) {
        self.identity = identity
        self.make = make
    }
}
