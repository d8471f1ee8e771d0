internal import CVips

/// An original, verified and decoded once: upright pixels from which every recipe's picture is made.
struct Original {
    let header: PictureHeader
    /// 8-bit sRGB, by how much smaller than the header says: only what is wanted of it.
    let rasters: [Shrink: Raster]
    /// The pixels as the JPEG has them; nil when nothing needs them, or when they are not plain.
    let planes: Planes?
    private let summarySource: SummarySource

    private enum SummarySource {
        case planes
        case raster(Shrink)
    }

    /// What a picture is decoded for.
    enum Purpose {
        /// Renditions and a summary.
        case rendering
        /// Pixels to be drawn.
        case drawing
    }

    /// Of a larger picture the summary is made from one that is shrunk while it is decoded.
    private static let mostPixelsForPlanes = 2_000_000

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
        guard let jpeg = PlainJPEG(bytes) else { return nil }
        header = try Self.header(of: jpeg, limits: limits)
        guard Self.isSummedUpFromPlanes(jpeg), recipes.allSatisfy(header.keepsPlanes), let decoded = jpeg.planes() else { return nil }
        planes = decoded
        rasters = [:]
        summarySource = .planes
    }

    /// Decodes what `recipes` need. What one of them makes does not depend on which others there are.
    init(
        decoding bytes: UnsafeRawBufferPointer, as format: ImageFormat, limits: ImageLimits, recipes: [Recipe], for purpose: Purpose,
        strictness: Strictness
    ) throws(LibVips.Failure) {
        if format == .jpeg, let jpeg = PlainJPEG(bytes) {
            let header = try Self.header(of: jpeg, limits: limits)
            if let decoded = try Self(jpeg, header, recipes: recipes, for: purpose) {
                self = decoded
                return
            }
        }
        let failOn = format == .jpeg && strictness == .warningsFail ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_ERROR
        let picture = try VipsPicture(opening: bytes, as: format, failOn: failOn)
        header = try Self.header(of: picture, as: format, limits: limits)
        let summary = Shrink(header)
        var rasters: [Shrink: Raster] = [:]
        for shrink in Self.shrinks(for: recipes, of: header, purpose == .rendering ? [summary] : []) {
            let onLoad = format == .jpeg ? shrink.onLoad : 1
            let opened = try VipsPicture(opening: bytes, as: format, shrink: onLoad, failOn: failOn)
            rasters[shrink] = try Self.eightBitSRGB(opened, shrink: shrink.whole / onLoad).rasterized().withoutNeedlessAlpha()
                .upright(orientation: picture.orientation)
        }
        self.rasters = rasters
        planes = nil
        summarySource = .raster(summary)
    }

    /// The same for a plain JPEG; nil when anything at all is wrong with it.
    private init?(
        _ jpeg: borrowing PlainJPEG, _ header: PictureHeader, recipes: [Recipe], for purpose: Purpose
    ) throws(LibVips.Failure) {
        var others = recipes
        var decoded: Planes?
        summarySource = Self.isSummedUpFromPlanes(jpeg) ? .planes : .raster(Shrink(header))
        var shrinks: [Shrink] = []
        if purpose == .rendering {
            if jpeg.hasPlanes { others.removeAll(where: header.keepsPlanes) }
            switch summarySource {
            case .planes: decoded = jpeg.planes()
            case .raster(let shrink):
                shrinks = [shrink]
                if others.count < recipes.count { decoded = jpeg.planes() }
            }
            if decoded == nil, others.count < recipes.count || jpeg.hasPlanes && shrinks.isEmpty { return nil }
        }
        var rasters: [Shrink: Raster] = [:]
        for shrink in Self.shrinks(for: others, of: header, shrinks) {
            guard let raster = jpeg.raster(shrink: shrink.onLoad) else { return nil }
            rasters[shrink] = shrink.rest > 1 ? try VipsPicture(raster).shrunk(by: shrink.rest).rasterized() : raster
        }
        self.header = header
        self.rasters = rasters
        planes = decoded
    }

    /// The pixels that `recipe`, one of those that this was decoded for, is made from.
    func raster(for recipe: Recipe) -> Raster {
        guard let raster = rasters[Shrink(header, recipe)] else { preconditionFailure("a recipe that this was not decoded for") }
        return raster
    }

    /// The picture averaged over blocks so that the longer side has at most `longerSide` pixels.
    func averaged(longerSide: Int) -> Raster {
        switch (summarySource, planes) {
        case (.planes, let planes?): return planes.averaged(longerSide: longerSide)
        case (.raster(let shrink), _):
            if let raster = rasters[shrink] { return raster.averaged(longerSide: longerSide) }
            fallthrough
        default: preconditionFailure("a picture that was decoded for drawing alone")
        }
    }

    // MARK: - Private

    private static func isSummedUpFromPlanes(_ jpeg: borrowing PlainJPEG) -> Bool {
        jpeg.hasPlanes && jpeg.width * jpeg.height <= mostPixelsForPlanes
    }

    /// Each once.
    private static func shrinks(for recipes: [Recipe], of header: PictureHeader, _ others: [Shrink]) -> Set<Shrink> {
        Set(recipes.map { Shrink(header, $0) } + others)
    }

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
