extension Raster {
    /// These pixels with an alpha band: fully opaque if there was none.
    func withAlpha() -> Raster {
        let result = Raster(width: width, height: height, bands: 4)
        guard !hasAlpha else {
            result.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return result
        }
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt32.self)
        for pixel in 0..<width * height {
            let source = from + pixel &* 3
            let value = UInt32(source[0]) | UInt32(source[1]) << 8 | UInt32(source[2]) << 16 | 0xFF00_0000
            to[pixel] = UInt32(littleEndian: value)
        }
        return result
    }

    /// Makes the four corners transparent in place; RGB stays as it is, so that no dark fringe shows where a corner is half transparent.
    func roundCorners(_ mask: CornerMask) {
        precondition(hasAlpha)
        let side = min(mask.side, width, height)
        let pixels = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        mask.coverage.withUnsafeBufferPointer { coverage in
            for y in 0..<side {
                for x in 0..<side {
                    let opacity = UInt32(coverage[y * mask.side + x])
                    if opacity == 255 { continue }
                    for (column, row) in [(x, y), (width - 1 - x, y), (x, height - 1 - y), (width - 1 - x, height - 1 - y)] {
                        let alpha = (row * width + column) * 4 + 3
                        pixels[alpha] = UInt8((UInt32(pixels[alpha]) * opacity + 127) / 255)
                    }
                }
            }
        }
    }

    /// These pixels on a background, without alpha.
    func flattened(on background: Recipe.RGB) -> Raster {
        precondition(hasAlpha)
        let result = Raster(width: width, height: height, bands: 3)
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let behind = (UInt32(background.red), UInt32(background.green), UInt32(background.blue))
        for pixel in 0..<width * height {
            let (source, target) = (from + pixel &* 4, to + pixel &* 3)
            let alpha = UInt32(source[3])
            let rest = 255 - alpha
            target[0] = UInt8((UInt32(source[0]) * alpha + behind.0 * rest + 127) / 255)
            target[1] = UInt8((UInt32(source[1]) * alpha + behind.1 * rest + 127) / 255)
            target[2] = UInt8((UInt32(source[2]) * alpha + behind.2 * rest + 127) / 255)
        }
        return result
    }

    /// These pixels in the middle of a larger, otherwise transparent canvas.
    ///
    /// Under the transparent part the picture's edge goes on, so that scaling the result draws no dark line around it.
    func letterboxed(width: Int, height: Int, left: Int, top: Int) -> Raster {
        let result = Raster(width: width, height: height, bands: 4)
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) = (x - left, y - top)
                let (nearestColumn, nearestRow) = (min(max(column, 0), self.width - 1), min(max(row, 0), self.height - 1))
                let source = from + (nearestRow * self.width + nearestColumn) * bands
                let target = to + (y * width + x) * 4
                (target[0], target[1], target[2]) = (source[0], source[1], source[2])
                let isInside = column == nearestColumn && row == nearestRow
                target[3] = isInside ? (bands == 4 ? source[3] : 255) : 0
            }
        }
        return result
    }

    /// These pixels turned and mirrored as EXIF's `orientation` (1 to 8) asks.
    func upright(orientation: Int) -> Raster {
        guard (2...8).contains(orientation) else { return self }
        let isTurned = orientation >= 5
        let result = Raster(width: isTurned ? height : width, height: isTurned ? width : height, bands: bands)
        // Where the result's first pixel comes from, and how far one goes in the source for one step right and one step down.
        let (right, bottom) = ((width - 1) * bands, (height - 1) * width * bands)
        let (column, row) = (bands, width * bands)
        let (first, stepRight, stepDown) =
            switch orientation {
            case 2: (right, -column, row)
            case 3: (right + bottom, -column, -row)
            case 4: (bottom, column, -row)
            case 5: (0, row, column)
            case 6: (bottom, -row, column)
            case 7: (right + bottom, -row, -column)
            default: (right, row, -column)
            }
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        var to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        for y in 0..<result.height {
            var source = first + y * stepDown
            for _ in 0..<result.width {
                for band in 0..<bands { to[band] = from[source + band] }
                to += bands
                source += stepRight
            }
        }
        return result
    }

    /// These pixels without their alpha band, if every one is opaque: many pictures carry one for nothing.
    func withoutNeedlessAlpha() -> Raster {
        guard hasAlpha else { return self }
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        for pixel in 0..<width * height where from[pixel &* 4 &+ 3] != 255 { return self }
        return flattened(on: .black)
    }
}
