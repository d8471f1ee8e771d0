internal import CVips

/// An original, verified and decoded once: upright pixels from which every recipe's picture is made.
struct Original {
    let header: PictureHeader
    /// 8-bit sRGB, fewer pixels than the header says when all that is wanted is much smaller; nil when nothing needs it.
    let raster: Raster?
    /// The pixels as the JPEG has them; nil when nothing needs them, or when they are not plain.
    let planes: Planes?

    /// How far warnings are believed.
    enum Strictness {
        /// Any warning of the JPEG decoder is a failure.
        case warningsFail
        /// Warnings pass; what they said is looked at afterwards, by ``Diagnosis``.
        case errorsFail
    }

    /// Checks `bytes` by their first bytes and header, without decoding.
    static func header(of bytes: UnsafeRawBufferPointer, as format: ImageFormat, limits: ImageLimits) throws(LibVips.Failure)
        -> PictureHeader
    {
        try header(of: VipsPicture(opening: bytes, as: format, failOn: VIPS_FAIL_ON_ERROR), as: format, limits: limits)
    }

    /// The same without libvips; nil when `bytes` are no plain JPEG.
    static func header(ofPlain bytes: UnsafeRawBufferPointer, limits: ImageLimits) throws(LibVips.Failure) -> PictureHeader? {
        guard let jpeg = PlainJPEG(bytes) else { return nil }
        return try header(of: jpeg, limits: limits)
    }

    /// Decodes a plain JPEG for `recipes` that all want it as it is, without libvips; nil when it takes that after all.
    init?(plain bytes: UnsafeRawBufferPointer, limits: ImageLimits, recipes: [Recipe]) throws(LibVips.Failure) {
        guard let jpeg = PlainJPEG(bytes), jpeg.hasPlanes else { return nil }
        header = try Self.header(of: jpeg, limits: limits)
        guard recipes.allSatisfy(header.keepsPlanes), let decoded = jpeg.planes() else { return nil }
        planes = decoded
        raster = nil
    }

    /// - Parameters:
    ///   - recipes: decide how many pixels are needed.
    ///   - keepsPlanes: whether what can be coded from the picture's own planes is to be; not when its pixels are wanted in any case.
    init(
        decoding bytes: UnsafeRawBufferPointer, as format: ImageFormat, limits: ImageLimits, recipes: [Recipe], keepsPlanes: Bool = true,
        strictness: Strictness
    ) throws(LibVips.Failure) {
        if format == .jpeg, let jpeg = PlainJPEG(bytes) {
            let header = try Self.header(of: jpeg, limits: limits)
            // What a recipe makes must not depend on which others are made beside it.
            let planes = keepsPlanes && recipes.contains(where: header.keepsPlanes) ? jpeg.planes() : nil
            let others = planes == nil ? recipes : recipes.filter { !header.keepsPlanes($0) }
            let shrink = Shrink(header, others)
            if let raster = jpeg.raster(shrink: shrink.onLoad) {
                self.header = header
                self.planes = planes
                self.raster = shrink.rest > 1 ? try VipsPicture(raster).shrunk(by: shrink.rest).rasterized() : raster
                return
            }
        }
        let failOn = format == .jpeg && strictness == .warningsFail ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_ERROR
        var picture = try VipsPicture(opening: bytes, as: format, failOn: failOn)
        header = try Self.header(of: picture, as: format, limits: limits)
        let orientation = picture.orientation

        var shrink = Shrink(header, recipes)
        if format == .jpeg, shrink.onLoad > 1 {
            picture = try VipsPicture(opening: bytes, as: format, shrink: shrink.onLoad, failOn: failOn)
        } else {
            shrink = Shrink(onLoad: 1, rest: shrink.onLoad * shrink.rest)
        }
        raster = try Self.eightBitSRGB(picture, shrink: shrink.rest).rasterized().withoutNeedlessAlpha().upright(orientation: orientation)
        planes = nil
    }

    // MARK: - Private

    private static func header(of jpeg: borrowing PlainJPEG, limits: ImageLimits) throws(LibVips.Failure) -> PictureHeader {
        try limits.check(width: jpeg.width, height: jpeg.height, frames: 1)
        return PictureHeader(format: .jpeg, widthPixels: jpeg.width, heightPixels: jpeg.height)
    }

    private static func header(of picture: VipsPicture, as format: ImageFormat, limits: ImageLimits) throws(LibVips.Failure)
        -> PictureHeader
    {
        let (width, height) = (picture.width, picture.height)
        try limits.check(width: width, height: height, frames: picture.frameCount)
        let isTurned = picture.orientation >= 5
        return PictureHeader(format: format, widthPixels: isTurned ? height : width, heightPixels: isTurned ? width : height)
    }

    /// The pipeline from what a loader gives to 8-bit sRGB with 3 or 4 bands.
    private static func eightBitSRGB(_ loaded: VipsPicture, shrink: Int) throws(LibVips.Failure) -> VipsPicture {
        var picture = loaded
        let hasProfile = picture.hasProfile
        if !picture.isEightBit {
            let isGrey = picture.bands < 3
            picture = try picture.converted(to: isGrey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB)
        }
        // Inks do not add up as light does, so CMYK is converted before it is shrunk; the rest after, when there is less of it.
        let isCMYK = picture.interpretation == VIPS_INTERPRETATION_CMYK
        if isCMYK { picture = try picture.toSRGB(byProfile: hasProfile) }
        if shrink > 1 { picture = try picture.shrunk(by: shrink) }
        if !isCMYK { picture = try picture.toSRGB(byProfile: hasProfile) }
        if picture.bands > 4 { picture = try picture.applying { posterity_extract_bands($0, $1, 4) } }
        if !picture.isEightBit { picture = try picture.applying(posterity_cast_uchar) }
        return picture
    }
}

extension VipsPicture {
    fileprivate func converted(to space: VipsInterpretation) throws(LibVips.Failure) -> VipsPicture {
        if interpretation == space { return self }
        return try applying { posterity_colourspace($0, $1, space) }
    }

    fileprivate func toSRGB(byProfile hasProfile: Bool) throws(LibVips.Failure) -> VipsPicture {
        // A profile that does not fit its picture is worth no picture: the colours are then taken as they usually are meant.
        if hasProfile, let converted = try? applying(posterity_to_srgb_by_profile) { return converted }
        return try converted(to: VIPS_INTERPRETATION_sRGB)
    }

    /// Averages blocks of `factor` × `factor` pixels. Incomplete blocks at the right and the bottom are filled up rather than left out,
    /// so that every row is read, and so a truncated picture is noticed.
    fileprivate func shrunk(by factor: Int) throws(LibVips.Failure) -> VipsPicture {
        func roundedUp(_ length: Int) -> Int { (length + factor - 1) / factor * factor }
        let (fullWidth, fullHeight) = (roundedUp(width), roundedUp(height))
        var picture = self
        if fullWidth != width || fullHeight != height {
            picture = try applying { posterity_embed_copying_edges($0, $1, Int32(fullWidth), Int32(fullHeight)) }
        }
        return try picture.withPremultipliedAlpha { picture throws(LibVips.Failure) in
            try picture.applying { posterity_shrink($0, $1, Int32(factor)) }
        }
    }

    /// What `scale` makes of this picture, with colours weighed by their opacity.
    func withPremultipliedAlpha(_ scale: (VipsPicture) throws(LibVips.Failure) -> VipsPicture) throws(LibVips.Failure) -> VipsPicture {
        guard hasAlpha else { return try scale(self) }
        let scaled = try scale(try applying(posterity_premultiply))
        return try scaled.applying(posterity_unpremultiply).applying(posterity_cast_uchar)
    }
}
