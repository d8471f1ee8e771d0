/// Where a picture goes in what a recipe makes of it. All in pixels.
struct Layout: Equatable {
    /// The whole picture, scaled.
    var resizedWidth: Int
    var resizedHeight: Int
    /// What is made.
    var width: Int
    var height: Int
    /// Where the scaled picture's top left corner lies in what is made: negative when cut off, positive when there are bars.
    var left: Int { centred(resizedWidth, in: width) }
    var top: Int { centred(resizedHeight, in: height) }
    var radius: Double

    var isCropped: Bool { resizedWidth > width || resizedHeight > height }
    var hasBars: Bool { resizedWidth < width || resizedHeight < height }

    /// - Parameters:
    ///   - width: of the original as displayed, as is `height`.
    init(_ recipe: Recipe, width: Int, height: Int) {
        let recipe = recipe.hasDimensions ? recipe : recipe.resolved(forWidth: width)
        let (w, h) = (Double(width), Double(height))
        /// How much smaller the box has become because nothing may be enlarged.
        var boxScale = 1.0

        switch (recipe.width, recipe.height) {
        case (let boxWidth?, let boxHeight?):
            let (horizontal, vertical) = (Double(boxWidth) / w, Double(boxHeight) / h)
            switch recipe.fit {
            case .cover:
                // A smaller original gives the largest picture of the box's shape that needs no enlarging.
                boxScale = recipe.enlarge ? 1 : min(1, 1 / horizontal, 1 / vertical)
                let scale = max(horizontal, vertical) * boxScale
                self.width = Self.pixels(Double(boxWidth) * boxScale)
                self.height = Self.pixels(Double(boxHeight) * boxScale)
                resizedWidth = max(self.width, Self.pixels(w * scale))
                resizedHeight = max(self.height, Self.pixels(h * scale))
            case .contain, .inside:
                let scale = recipe.enlarge ? min(horizontal, vertical) : min(1, horizontal, vertical)
                resizedWidth = min(boxWidth, Self.pixels(w * scale))
                resizedHeight = min(boxHeight, Self.pixels(h * scale))
                let fillsBox = recipe.fit == .contain
                self.width = fillsBox ? boxWidth : resizedWidth
                self.height = fillsBox ? boxHeight : resizedHeight
                if !fillsBox { boxScale = min(1, scale / min(horizontal, vertical)) }
            }
        case (let boxWidth?, nil):
            let scale = recipe.enlarge ? Double(boxWidth) / w : min(1, Double(boxWidth) / w)
            boxScale = w * scale / Double(boxWidth)
            (resizedWidth, resizedHeight) = (Self.pixels(w * scale), Self.pixels(h * scale))
            (self.width, self.height) = (resizedWidth, resizedHeight)
        case (nil, let boxHeight?):
            let scale = recipe.enlarge ? Double(boxHeight) / h : min(1, Double(boxHeight) / h)
            boxScale = h * scale / Double(boxHeight)
            (resizedWidth, resizedHeight) = (Self.pixels(w * scale), Self.pixels(h * scale))
            (self.width, self.height) = (resizedWidth, resizedHeight)
        case (nil, nil):
            preconditionFailure("a resolved recipe has dimensions")
        }

        let wanted =
            switch recipe.radius {
            case .milliPixels(let amount): Double(amount) / 1000 * boxScale
            case .milliPercent(let amount): Double(self.width * amount) / 100_000
            }
        radius = min(wanted, Double(min(self.width, self.height)) / 2)
    }

    private static func pixels(_ length: Double) -> Int { max(1, Int((length + 0.5).rounded(.down))) }

    private func centred(_ inner: Int, in outer: Int) -> Int {
        // Rounds towards the top left for cutting as for bars.
        inner > outer ? -((inner - outer) / 2) : (outer - inner) / 2
    }
}
