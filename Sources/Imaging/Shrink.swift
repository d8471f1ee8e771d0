/// By how much an original is made smaller, in whole numbers, while it is read.
struct Shrink: Hashable {
    /// What a JPEG decoder does by itself: 1, 2, 4 or 8.
    let onLoad: Int
    /// What is left to do by averaging blocks.
    let rest: Int

    /// Both together.
    var whole: Int { onLoad * rest }

    /// As much as leaves the original at least twice as large as what `recipe` wants of it, so that the final, better filter decides about
    /// quality; without a recipe, as its summary wants it.
    init(_ header: PictureHeader, _ recipe: Recipe? = nil) {
        let (width, height) = (Double(header.widthPixels), Double(header.heightPixels))
        var scale = Double(Summary.leastWidth) / max(width, height)
        if let recipe {
            let layout = Layout(recipe, width: header.widthPixels, height: header.heightPixels)
            scale = max(scale, Double(layout.resizedWidth) / width, Double(layout.resizedHeight) / height)
        }
        let factor = max(1, Int(1 / (2 * scale)))
        onLoad = [8, 4, 2].first { $0 <= factor } ?? 1
        rest = factor / onLoad
    }
}
