internal import CVips

/// An original, verified and decoded once: upright sRGB pixels from which every recipe's picture is made.
struct Original {
    let header: PictureHeader
    /// The pixels; fewer than the header says when all that is wanted is much smaller.
    let raster: Raster

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

    /// - Parameter recipes: decide how many pixels are needed.
    init(
        decoding bytes: UnsafeRawBufferPointer, as format: ImageFormat, limits: ImageLimits, recipes: [Recipe], strictness: Strictness
    ) throws(LibVips.Failure) {
        let failOn = format == .jpeg && strictness == .warningsFail ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_ERROR
        var picture = try VipsPicture(opening: bytes, as: format, failOn: failOn)
        header = try Self.header(of: picture, as: format, limits: limits)
        let orientation = picture.orientation

        var shrink = Self.shrink(header, recipes)
        if format == .jpeg, let onLoad = [8, 4, 2].first(where: { $0 <= shrink }) {
            picture = try VipsPicture(opening: bytes, as: format, shrink: onLoad, failOn: failOn)
            shrink /= onLoad
        }
        raster = try Self.eightBitSRGB(picture, shrink: shrink).rasterized().withoutNeedlessAlpha().upright(orientation: orientation)
    }

    // MARK: - Private

    private static func header(of picture: VipsPicture, as format: ImageFormat, limits: ImageLimits) throws(LibVips.Failure)
        -> PictureHeader
    {
        let (width, height, frames) = (picture.width, picture.height, picture.frameCount)
        guard width > 0, height > 0 else { throw .known(ImagingError(.damagedImage, "the picture has no pixels (\(width) × \(height))")) }
        guard width <= limits.maximumSide, height <= limits.maximumSide, width * height <= limits.maximumPixels else {
            throw .known(
                ImagingError(
                    .tooManyPixels,
                    "it has \(width) × \(height) pixels; at most \(limits.maximumPixels) in all and \(limits.maximumSide) along a side are let in"
                )
            )
        }
        guard frames <= limits.maximumFrames else {
            throw .known(ImagingError(.tooManyPixels, "it is an animation of \(frames) frames; at most \(limits.maximumFrames) are let in"))
        }
        let isTurned = picture.orientation >= 5
        return PictureHeader(format: format, widthPixels: isTurned ? height : width, heightPixels: isTurned ? width : height)
    }

    /// The whole number by which the original can be shrunk while it is read and still be at least twice as large as all that is wanted,
    /// so that the final, better filter decides about quality.
    private static func shrink(_ header: PictureHeader, _ recipes: [Recipe]) -> Int {
        var scale = Double(Summary.leastWidth) / Double(max(header.widthPixels, header.heightPixels))
        for recipe in recipes {
            let layout = Layout(recipe, width: header.widthPixels, height: header.heightPixels)
            scale = max(
                scale, Double(layout.resizedWidth) / Double(header.widthPixels), Double(layout.resizedHeight) / Double(header.heightPixels))
        }
        return max(1, Int(1 / (2 * scale)))
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
