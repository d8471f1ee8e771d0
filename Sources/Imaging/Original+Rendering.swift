internal import CVips

extension Original {
    /// What `recipe` makes of this original.
    func render(_ recipe: Recipe, masks: CornerMasks) throws(LibVips.Failure) -> RenderedImage {
        let pixels = try pixels(recipe, masks: masks)
        let bytes = try Encoder.encode(VipsPicture(pixels), as: recipe.format, quality: recipe.quality ?? 100)
        return RenderedImage(recipe: recipe, bytes: bytes, format: recipe.format, widthPixels: pixels.width, heightPixels: pixels.height)
    }

    /// The same, before it is encoded.
    func pixels(_ recipe: Recipe, masks: CornerMasks) throws(LibVips.Failure) -> Raster {
        let layout = Layout(recipe, width: header.widthPixels, height: header.heightPixels)
        guard max(layout.resizedWidth, layout.resizedHeight) <= 4 * Recipe.maximumSide,
            max(layout.width, layout.height) <= Recipe.maximumSide
        else {
            throw .known(
                ImagingError(
                    .renderFailed,
                    "“\(recipe)” would make \(layout.width) × \(layout.height) pixels of \(header.widthPixels) × \(header.heightPixels)"))
        }
        var pixels = try raster.fitted(layout)
        if layout.hasBars { pixels = pixels.letterboxed(width: layout.width, height: layout.height, left: layout.left, top: layout.top) }
        if layout.radius > 0 {
            // The decoded pixels themselves serve other recipes too.
            if !pixels.hasAlpha || pixels === raster { pixels = pixels.withAlpha() }
            pixels.roundCorners(masks.mask(radius: layout.radius))
        }
        if let background = recipe.background, pixels.hasAlpha { pixels = pixels.flattened(on: background) }
        return pixels
    }
}

extension Raster {
    /// Scales these pixels and cuts off what stands out of the layout; itself when there is nothing to do.
    fileprivate func fitted(_ layout: Layout) throws(LibVips.Failure) -> Raster {
        if layout.resizedWidth == width, layout.resizedHeight == height, !layout.isCropped { return self }
        var picture = try VipsPicture(self)
        if layout.resizedWidth != width || layout.resizedHeight != height {
            let (horizontal, vertical) = (Double(layout.resizedWidth) / Double(width), Double(layout.resizedHeight) / Double(height))
            picture = try picture.withPremultipliedAlpha { picture throws(LibVips.Failure) in
                try picture.applying { posterity_resize($0, $1, horizontal, vertical) }
            }
        }
        if layout.isCropped {
            let (cutWidth, cutHeight) = (min(layout.width, picture.width), min(layout.height, picture.height))
            picture = try picture.applying {
                posterity_crop($0, $1, Int32(max(0, -layout.left)), Int32(max(0, -layout.top)), Int32(cutWidth), Int32(cutHeight))
            }
        }
        return try picture.rasterized()
    }
}
