internal import CVips

extension Original {
    /// What `recipe` makes of this original.
    func render(_ recipe: Recipe, masks: CornerMasks) throws(LibVips.Failure) -> RenderedImage {
        let layout = try layout(recipe)
        let fitted = try fitted(layout)
        let pixels: Raster
        let bytes: [UInt8]
        if recipe.format == .webp, recipe.background == nil, layout.radius > 0, !fitted.hasAlpha {
            // Colour as if there were no corners, and an alpha plane coded once for all pictures of this shape.
            pixels = fitted
            var file = try Encoder.webP(VipsPicture(fitted), quality: Int32(recipe.quality ?? 100))
            let plane = try masks.webPPlane(width: fitted.width, height: fitted.height, radius: layout.radius)
            if !plane.isEmpty { file.addAlpha(plane[...], width: fitted.width, height: fitted.height) }
            bytes = file.bytes
        } else {
            pixels = finished(fitted, layout, background: recipe.background, masks: masks)
            bytes = try Encoder.encode(VipsPicture(pixels), as: recipe.format, quality: recipe.quality ?? 100)
        }
        return RenderedImage(recipe: recipe, bytes: bytes, format: recipe.format, widthPixels: pixels.width, heightPixels: pixels.height)
    }

    /// The same, before it is encoded.
    func pixels(_ recipe: Recipe, masks: CornerMasks) throws(LibVips.Failure) -> Raster {
        let layout = try layout(recipe)
        return finished(try fitted(layout), layout, background: recipe.background, masks: masks)
    }

    // MARK: - Private

    private func layout(_ recipe: Recipe) throws(LibVips.Failure) -> Layout {
        let layout = Layout(recipe, width: header.widthPixels, height: header.heightPixels)
        guard max(layout.resizedWidth, layout.resizedHeight) <= 4 * Recipe.maximumSide,
            max(layout.width, layout.height) <= Recipe.maximumSide, layout.width * layout.height <= Recipe.maximumPixels
        else {
            throw .known(
                ImagingError(
                    .renderFailed,
                    "“\(recipe)” would make \(layout.width) × \(layout.height) pixels of \(header.widthPixels) × \(header.heightPixels), "
                        + "more than a recipe may"))
        }
        return layout
    }

    /// Scaled, cut to the layout or put between its bars.
    private func fitted(_ layout: Layout) throws(LibVips.Failure) -> Raster {
        let pixels = try raster.fitted(layout)
        guard layout.hasBars else { return pixels }
        return pixels.letterboxed(width: layout.width, height: layout.height, left: layout.left, top: layout.top)
    }

    /// With round corners and on its background.
    private func finished(_ fitted: Raster, _ layout: Layout, background: Recipe.RGB?, masks: CornerMasks) -> Raster {
        var pixels = fitted
        if layout.radius > 0 {
            // The decoded pixels themselves serve other recipes too.
            if !pixels.hasAlpha || pixels === raster { pixels = pixels.withAlpha() }
            pixels.roundCorners(masks.mask(radius: layout.radius))
        }
        if let background, pixels.hasAlpha { pixels = pixels.flattened(on: background) }
        return pixels
    }
}

extension Raster {
    /// Scales these pixels; itself when there is nothing to do.
    func scaled(width: Int, height: Int) throws(LibVips.Failure) -> Raster {
        width == self.width && height == self.height ? self : try VipsPicture(self).scaled(width: width, height: height).rasterized()
    }

    /// Scales these pixels and cuts off what stands out of the layout; itself when there is nothing to do.
    fileprivate func fitted(_ layout: Layout) throws(LibVips.Failure) -> Raster {
        guard layout.isCropped else { return try scaled(width: layout.resizedWidth, height: layout.resizedHeight) }
        let picture = try VipsPicture(self).scaled(width: layout.resizedWidth, height: layout.resizedHeight)
        let (left, top) = (Int32(max(0, -layout.left)), Int32(max(0, -layout.top)))
        let (width, height) = (Int32(min(layout.width, picture.width)), Int32(min(layout.height, picture.height)))
        return try picture.applying { posterity_crop($0, $1, left, top, width, height) }.rasterized()
    }
}

extension VipsPicture {
    fileprivate func scaled(width: Int, height: Int) throws(LibVips.Failure) -> VipsPicture {
        if width == self.width, height == self.height { return self }
        let (horizontal, vertical) = (Double(width) / Double(self.width), Double(height) / Double(self.height))
        return try withPremultipliedAlpha { picture throws(LibVips.Failure) in
            try picture.applying { posterity_resize($0, $1, horizontal, vertical) }
        }
    }
}
