import Core
import Imaging
import TestSupport
import Testing

@Suite("JPEGs of many scans")
struct ScanTests {
    /// A progressive JPEG whose last scan stands there `count` times more.
    private func repeating(_ count: Int) async throws -> [UInt8] {
        let jpeg = try await Pictures.make(64, 96, ".jpg[Q=85,interlace]")
        let starts = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
        let last = try #require(starts.last)
        let scan = jpeg[last..<(jpeg.count - 2)]
        return Array(jpeg.dropLast(2) + (0..<count).flatMap { _ in scan } + [0xFF, 0xD9])
    }

    @Test("A progressive JPEG is rendered; one with hundreds of scans is refused before they are drawn")
    func scans() async throws {
        let recipe = try Recipe("inside,64x96,webp")
        try await Renderer.withRenderer(threads: 1) { renderer in
            let plain = try await repeating(0)
            #expect(try await renderer.render(plain, recipes: [recipe]).images.count == 1)
            let bomb = try await repeating(200)
            let error = try await #require(throws: ImagingError.self) { _ = try await renderer.render(bomb, recipes: [recipe]) }
            #expect(error.code == .tooManyPixels && error.detail.contains("scans"))
        }
    }

    @Test("Bytes that look like no segment do not hide one that turns the picture")
    func hiddenSegments() async throws {
        let turned = try await Pictures.make(40, 60, ".jpg[Q=90]", then: "vips copy scene.ppm in.v && vips autorot in.v r.v")
        for filler: [UInt8] in [[0xFF], [0xFF, 0x01], [0xFF, 0xD0]] {
            // An EXIF segment that says "turned", behind what a careless walker would take for a segment's beginning.
            let exif: [UInt8] =
                [0xFF, 0xE1, 0, 34] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
            let hidden = Array(turned[..<2]) + filler + exif + turned[2...]
            let header = try await Renderer.withRenderer(threads: 1) { try await $0.header(of: hidden) }
            #expect((header.widthPixels, header.heightPixels) == (60, 40), "\(filler)")
        }
    }
}
