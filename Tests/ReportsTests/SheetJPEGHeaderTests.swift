import Testing

@testable import Reports

@Suite("Reading a JPEG's header")
struct SheetJPEGHeaderTests {
    private let start: [UInt8] = [0xFF, 0xD8]
    /// 8 bits, 278 high, 185 wide, 3 components.
    private let frame: [UInt8] = [0xFF, 0xC2, 0, 11, 8, 1, 22, 0, 185, 3, 0, 0, 0]

    @Test("Size, components and orientation are read, in both byte orders", arguments: [true, false])
    func orientation(_ isLittle: Bool) throws {
        let tiff: [UInt8] =
            isLittle
            ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
            : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let exif = Array("Exif\0\0".utf8) + tiff
        let header = try #require(JPEGHeader(start + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + frame))
        #expect(header.widthPixels == 185 && header.heightPixels == 278)
        #expect(header.components == 3 && header.isEmbeddable && header.orientation == 6)
    }

    @Test("Without EXIF a picture is upright, and one of inks is not embedded as it is")
    func plain() throws {
        #expect(try #require(JPEGHeader(start + frame)).orientation == 1)
        var inks = frame
        inks[9] = 4
        #expect(try #require(JPEGHeader(start + inks)).isEmbeddable == false)
    }

    @Test("What ends early, or is no JPEG, has no header", arguments: 0..<14)
    func broken(_ length: Int) {
        #expect(JPEGHeader(Array((start + frame).prefix(length))) == nil)
        #expect(JPEGHeader(Array("\u{89}PNG and more".utf8)) == nil)
        // A segment that claims to be longer than the file.
        #expect(JPEGHeader(start + [0xFF, 0xE1, 0xFF, 0xFF, 1, 2]) == nil)
    }
}
