/// A picture made smaller by averaging blocks of pixels: quick, and good enough for what is looked at as a colour or a blur.
struct BlockAverage {
    let width: Int
    let height: Int
    private let originalWidth: Int
    private let originalHeight: Int

    /// - Parameter longerSide: the result's, at most, in pixels; nothing is enlarged.
    init(ofWidth originalWidth: Int, height originalHeight: Int, longerSide: Int) {
        let longer = max(originalWidth, originalHeight)
        func scaled(_ length: Int) -> Int { longer <= longerSide ? length : max(1, (length * longerSide + longer / 2) / longer) }
        self.originalWidth = originalWidth
        self.originalHeight = originalHeight
        width = scaled(originalWidth)
        height = scaled(originalHeight)
    }

    /// The pixels of the original that one of the result's stands for.
    struct Block {
        let rows: StrideTo<Int>
        let columns: StrideTo<Int>
    }

    /// Calls `body` for each pixel of the result, row by row from the top.
    func forEachBlock(_ body: (_ pixel: Int, _ block: Block) -> Void) {
        for y in 0..<height {
            let rows = Self.part(y, of: height, in: originalHeight)
            for x in 0..<width {
                let columns = Self.part(x, of: width, in: originalWidth)
                // Some four rows of four are enough to know a block.
                let step = max(1, max(rows.count, columns.count) / 4)
                body(
                    y * width + x,
                    Block(
                        rows: stride(from: rows.lowerBound, to: rows.upperBound, by: step),
                        columns: stride(from: columns.lowerBound, to: columns.upperBound, by: step)))
            }
        }
    }

    private static func part(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max((index + 1) * length / count, start + 1)
    }
}

extension Raster {
    /// These pixels averaged over blocks so that the longer side has at most `longerSide` pixels; colours are weighed by their opacity.
    func averaged(longerSide: Int) -> Raster {
        let average = BlockAverage(ofWidth: width, height: height, longerSide: longerSide)
        let result = Raster(width: average.width, height: average.height, bands: bands)
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        average.forEachBlock { pixel, block in
            var sums: (red: UInt32, green: UInt32, blue: UInt32) = (0, 0, 0)
            var (opacity, count): (UInt32, UInt32) = (0, 0)
            for row in block.rows {
                for column in block.columns {
                    let source = from + (row &* width &+ column) &* bands
                    let alpha = bands == 4 ? UInt32(source[3]) : 255
                    sums.red &+= UInt32(source[0]) &* alpha
                    sums.green &+= UInt32(source[1]) &* alpha
                    sums.blue &+= UInt32(source[2]) &* alpha
                    opacity &+= alpha
                    count &+= 1
                }
            }
            let target = to + pixel * bands
            let weight = max(1, opacity)
            target[0] = UInt8((sums.red + weight / 2) / weight)
            target[1] = UInt8((sums.green + weight / 2) / weight)
            target[2] = UInt8((sums.blue + weight / 2) / weight)
            if bands == 4 { target[3] = UInt8(opacity / count) }
        }
        return result
    }
}

extension Planes {
    /// The picture in RGB, averaged over blocks so that the longer side has at most `longerSide` pixels.
    func averaged(longerSide: Int) -> Raster {
        let average = BlockAverage(ofWidth: width, height: height, longerSide: longerSide)
        let result = Raster(width: average.width, height: average.height, bands: 3)
        let to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        average.forEachBlock { pixel, block in
            var sums: (luma: Int, blue: Int, red: Int) = (0, 0, 0)
            var count = 0
            for row in block.rows {
                for column in block.columns {
                    let chroma = (row / 2) &* chromaStride &+ column / 2
                    sums.luma &+= Int(luma[row &* lumaStride &+ column])
                    sums.blue &+= Int(blue[chroma])
                    sums.red &+= Int(red[chroma])
                    count &+= 1
                }
            }
            func mean(_ sum: Int) -> Double { Double(sum) / Double(count) }
            let colour = Self.rgb(luma: mean(sums.luma), blue: mean(sums.blue), red: mean(sums.red))
            let target = to + pixel * 3
            (target[0], target[1], target[2]) = (colour.red, colour.green, colour.blue)
        }
        return result
    }
}
