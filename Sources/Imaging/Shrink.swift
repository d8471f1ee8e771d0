/// By how much an original is made smaller, in whole numbers, while it is read.
struct Shrink {
    /// What a JPEG decoder does by itself: 1, 2, 4 or 8.
    var onLoad: Int
    /// What is left to do by averaging blocks.
    var rest: Int

    init(onLoad: Int, rest: Int) {
        self.onLoad = onLoad
        self.rest = rest
    }

    /// As much as leaves the original at least twice as large as all that is wanted of it, so that the final, better filter decides about
    /// quality.
    init(_ header: PictureHeader, _ recipes: [Recipe]) {
        var scale = Double(Summary.leastWidth) / Double(max(header.widthPixels, header.heightPixels))
        for recipe in recipes {
            let layout = Layout(recipe, width: header.widthPixels, height: header.heightPixels)
            scale = max(
                scale, Double(layout.resizedWidth) / Double(header.widthPixels), Double(layout.resizedHeight) / Double(header.heightPixels))
        }
        let factor = max(1, Int(1 / (2 * scale)))
        onLoad = [8, 4, 2].first { $0 <= factor } ?? 1
        rest = factor / onLoad
    }
}
