package import Mirroring

/// Makes the contact sheet that a site offers.
package struct SheetMaker: Sendable {
    /// Changes whenever the same run would give other bytes: the drawing's version and its options. A site whose run and identity are
    /// unchanged keeps its sheet without drawing it again.
    package let identity: String
    /// Gets the run, and the runs before it (newest first).
    package let make: @Sendable (Manifest, [Manifest]) async throws -> Drawing

    package struct Drawing: Sendable {
        /// Of a PNG file.
        package let bytes: [UInt8]
        /// What is not on it because the cache could not give it; such a sheet is drawn again the next time.
        package let lost: [LostPictures]

        package init(bytes: [UInt8], lost: [LostPictures] = []) {
            self.bytes = bytes
            self.lost = lost
        }
    }

    package init(identity: String, make: @escaping @Sendable (Manifest, [Manifest]) async throws -> Drawing) {
        self.identity = identity
        self.make = make
    }
}
