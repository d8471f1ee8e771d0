import Drawing
import Testing

@Suite("Drawing on pixels")
struct CanvasTests {
    @Test("What is filled has its colour, and what is not stays transparent")
    func filling() throws {
        let canvas = try Canvas.raster(widthPixels: 20, heightPixels: 10)
        canvas.fill(.rectangle(Rectangle(x: 0, y: 0, width: 10, height: 10)), with: Colour(0x336699))
        let pixels = try canvas.rgba()
        #expect(pixels.count == 800)
        #expect(pixel(pixels, width: 20, x: 5, y: 5) == [0x33, 0x66, 0x99, 255])
        #expect(pixel(pixels, width: 20, x: 15, y: 5) == [0, 0, 0, 0])
    }

    @Test("Half transparent paint keeps its colour when its opacity is taken out again")
    func straightOpacity() throws {
        let canvas = try Canvas.raster(widthPixels: 1, heightPixels: 1)
        canvas.fill(with: Colour(0xc86432, opacity: 0.5))
        let pixels = try canvas.rgba()
        #expect(abs(Int(pixels[0]) - 0xc8) <= 1 && abs(Int(pixels[1]) - 0x64) <= 1 && abs(Int(pixels[2]) - 0x32) <= 1)
        #expect(abs(Int(pixels[3]) - 128) <= 1)
    }

    @Test("A scale of two draws the same picture with twice the pixels")
    func scale() throws {
        let canvas = try Canvas.raster(widthPixels: 40, heightPixels: 40, scale: 2)
        canvas.fill(.rectangle(Rectangle(x: 5, y: 5, width: 10, height: 10)), with: .white)
        let pixels = try canvas.rgba()
        #expect(pixel(pixels, width: 40, x: 10, y: 10)[3] == 255)
        #expect(pixel(pixels, width: 40, x: 9, y: 9)[3] == 0)
        #expect(pixel(pixels, width: 40, x: 29, y: 29)[3] == 255)
        #expect(pixel(pixels, width: 40, x: 30, y: 30)[3] == 0)
    }

    @Test("A rounded rectangle's corners are quarter circles of its radius")
    func roundedCorners() throws {
        let canvas = try Canvas.raster(widthPixels: 100, heightPixels: 150)
        canvas.fill(.roundedRectangle(Rectangle(x: 0, y: 0, width: 100, height: 150), radius: 10), with: .black)
        let pixels = try canvas.rgba()
        let cornerInk = (0..<10).flatMap { y in (0..<10).map { x in Double(pixel(pixels, width: 100, x: x, y: y)[3]) / 255 } }.reduce(0, +)
        #expect(abs(cornerInk - Double.pi * 25) < 0.5)
        #expect(pixel(pixels, width: 100, x: 0, y: 0)[3] == 0)
        #expect(pixel(pixels, width: 100, x: 0, y: 12)[3] == 255)
    }

    @Test("A linear gradient goes from its first colour to its last")
    func gradient() throws {
        let canvas = try Canvas.raster(widthPixels: 100, heightPixels: 1)
        canvas.fill(with: .linear(from: Point(0, 0), to: Point(100, 0), stops: [.init(0, .black), .init(1, .white)]))
        let reds = stride(from: 0, to: 400, by: 4).map { [pixels = try canvas.rgba()] in pixels[$0] }
        #expect(reds[0] < 6 && reds[99] > 249 && abs(Int(reds[50]) - 128) < 6)
        #expect(reds == reds.sorted())
    }

    @Test("A picture's pixels arrive where they were sent, unchanged")
    func picture() throws {
        let rgba: [UInt8] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 255]
        let canvas = try Canvas.raster(widthPixels: 2, heightPixels: 2)
        canvas.draw(try Picture(widthPixels: 2, heightPixels: 2, rgba: rgba), in: Rectangle(x: 0, y: 0, width: 2, height: 2))
        #expect(try canvas.rgba() == rgba)
    }

    @Test(
        "A picture stored on its side is turned upright, for each EXIF orientation",
        arguments: [
            (1, [1, 2, 3, 4]), (2, [2, 1, 4, 3]), (3, [4, 3, 2, 1]), (4, [3, 4, 1, 2]),
            (5, [1, 3, 2, 4]), (6, [3, 1, 4, 2]), (7, [4, 2, 3, 1]), (8, [2, 4, 1, 3]),
        ] as [(Int, [UInt8])])
    func orientation(_ orientation: Int, _ seen: [UInt8]) throws {
        let stored: [UInt8] = [1, 2, 3, 4].flatMap { [$0, $0, $0, 255] }
        let canvas = try Canvas.raster(widthPixels: 2, heightPixels: 2)
        let picture = try Picture(widthPixels: 2, heightPixels: 2, rgba: stored)
        canvas.draw(picture, in: Rectangle(x: 0, y: 0, width: 2, height: 2), orientation: orientation)
        let pixels = try canvas.rgba()
        #expect(stride(from: 0, to: 16, by: 4).map { pixels[$0] } == seen)
    }

    @Test("A clip ends with its scope")
    func clip() throws {
        let canvas = try Canvas.raster(widthPixels: 10, heightPixels: 10)
        canvas.withClip(.rectangle(Rectangle(x: 0, y: 0, width: 5, height: 5))) { canvas.fill(with: .white) }
        canvas.fill(.rectangle(Rectangle(x: 9, y: 9, width: 1, height: 1)), with: .white)
        let pixels = try canvas.rgba()
        #expect(pixel(pixels, width: 10, x: 4, y: 4)[3] == 255)
        #expect(pixel(pixels, width: 10, x: 6, y: 6)[3] == 0)
        #expect(pixel(pixels, width: 10, x: 9, y: 9)[3] == 255)
    }

    @Test("A canvas of no pixels or of too many is refused", arguments: [(0, 10), (10, 0), (40_000, 10), (-1, 10)])
    func sizes(_ width: Int, _ height: Int) {
        let error = #expect(throws: DrawingError.self) { try Canvas.raster(widthPixels: width, heightPixels: height) }
        #expect(error?.code == .badSize)
    }

    @Test("Black on white has the greatest contrast that there is, and a colour none with itself")
    func contrast() {
        #expect(abs(Colour.black.contrast(with: .white) - 21) < 0.2)
        #expect(Colour(0x808080).contrast(with: Colour(0x808080)) == 1)
    }

    @Test("Only six hexadecimal digits after # are a colour", arguments: ["", "#fff", "336699", "#33669g", "#+36699", "#3366990"])
    func colourTexts(_ text: String) {
        #expect(Colour(text) == nil)
        #expect(Colour("#336699") == Colour(0x336699))
    }
}

func pixel(_ pixels: [UInt8], width: Int, x: Int, y: Int) -> [UInt8] {
    let place = (y * width + x) * 4
    return Array(pixels[place..<place + 4])
}
