internal import CVips

extension Original {
    /// What `recipe`, one of those that this was decoded for, makes of this original.
    func render(_ recipe: Recipe, masks: CornerMasks) throws(LibVips.Failure) -> RenderedImage {
        let layout = try layout(recipe)
        let encoder = Encoder(recipe.format, quality: recipe.quality, effort: recipe.effort)
        func image(_ bytes: [UInt8], _ width: Int, _ height: Int) -> RenderedImage {
            RenderedImage(recipe: recipe, bytes: bytes, format: recipe.format, widthPixels: width, heightPixels: height)
        }
        if let planes, header.keepsPlanes(recipe) {
            var file = try encoder.webP.encode(
                planes, left: max(0, -layout.left), top: max(0, -layout.top), width: layout.width, height: layout.height)
            try roundCorners(of: &file, width: layout.width, height: layout.height, radius: layout.radius, masks: masks)
            return image(file.bytes, layout.width, layout.height)
        }
        let fitted = try fitted(layout, of: raster(for: recipe))
        if recipe.format == .webp, recipe.background == nil, !fitted.hasAlpha {
            var file = try encoder.webP.encode(fitted)
            try roundCorners(of: &file, width: fitted.width, height: fitted.height, radius: layout.radius, masks: masks)
            return image(file.bytes, fitted.width, fitted.height)
        }
        let pixels = finished(fitted, layout, background: recipe.background, masks: masks)
        return image(try encoder.encode(pixels), pixels.width, pixels.height)
    }

    /// The same, before it is encoded.
    func pixels(_ recipe: Recipe, masks: CornerMasks) throws(LibVips.Failure) -> Raster {
        let layout = try layout(recipe)
        return finished(try fitted(layout, of: raster(for: recipe)), layout, background: recipe.background, masks: masks)
    }

    // MARK: - Private

    /// Colour as if there were no corners, and an alpha plane that is coded once for all pictures of this shape.
    private func roundCorners(
        of file: inout WebPContainer, width: Int, height: Int, radius: Double, masks: CornerMasks
    ) throws(LibVips.Failure) {
        guard radius > 0 else { return }
        let plane = try masks.webPPlane(width: width, height: height, radius: radius)
        if !plane.isEmpty { file.addAlpha(plane[...], width: width, height: height) }
    }

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
    private func fitted(_ layout: Layout, of raster: Raster) throws(LibVips.Failure) -> Raster {
        let pixels = try raster.fitted(layout)
        guard layout.hasBars else { return pixels }
        return pixels.letterboxed(width: layout.width, height: layout.height, left: layout.left, top: layout.top)
    }

    /// With round corners and on its background.
    private func finished(_ fitted: Raster, _ layout: Layout, background: Recipe.RGB?, masks: CornerMasks) -> Raster {
        var pixels = fitted
        if layout.radius > 0 {
            // The decoded pixels themselves serve other recipes too.
            if !pixels.hasAlpha || rasters.values.contains(where: { $0 === pixels }) { pixels = pixels.withAlpha() }
            pixels.roundCorners(masks.mask(radius: layout.radius))
        }
        if let background, pixels.hasAlpha { pixels = pixels.flattened(on: background) }
        return pixels
    }
}

extension PictureHeader {
    /// Whether what `recipe` makes can be coded from the original's own planes: nothing is scaled, and no cut goes through chroma's pixels.
    func keepsPlanes(_ recipe: Recipe) -> Bool {
        guard recipe.format == .webp else { return false }
        let layout = Layout(recipe, width: widthPixels, height: heightPixels)
        return (layout.resizedWidth, layout.resizedHeight) == (widthPixels, heightPixels) && !layout.hasBars
            && layout.left % 2 == 0 && layout.top % 2 == 0 && (recipe.background == nil || layout.radius == 0)
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
