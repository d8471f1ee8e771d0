internal import Core
package import Imaging
internal import Storage

/// Which recipes apply to which size of a run.
///
/// A recipe without dimensions is made for every size. One that has them is made once a poster, under the smallest size that is wide
/// enough for it (else the widest), so that nothing is enlarged that need not be.
package struct RecipeBook: Sendable {
    private let everySize: [Recipe]
    private let onlyFor: [PosterSize: [Recipe]]

    package init(_ recipes: [Recipe], sizes: [PosterSize]) {
        everySize = recipes.filter { !$0.hasDimensions }
        let byWidth = sizes.sorted { ($0.widthPixels ?? .max) < ($1.widthPixels ?? .max) }
        var onlyFor: [PosterSize: [Recipe]] = [:]
        for recipe in recipes where recipe.hasDimensions {
            let sufficient = byWidth.first { ($0.widthPixels ?? .max) >= (recipe.width ?? 0) }
            guard let size = sufficient ?? byWidth.last else { continue }
            onlyFor[size, default: []].append(recipe)
        }
        self.onlyFor = onlyFor
    }

    /// The recipes for `size`, resolved, without duplicates.
    ///
    /// - Parameter originalWidth: stands in for the width of a size whose token names none.
    package func recipes(for size: PosterSize, originalWidth: Int) -> [Recipe] {
        let width = size.widthPixels ?? originalWidth
        var seen: Set<Recipe> = []
        return (everySize + onlyFor[size, default: []]).map { $0.resolved(forWidth: width) }.filter { seen.insert($0).inserted }
    }

    /// The recipes for all of `sizes`, without duplicates.
    package func recipes(for sizes: [PosterSize], originalWidth: Int) -> [Recipe] {
        var seen: Set<Recipe> = []
        return sizes.flatMap { recipes(for: $0, originalWidth: originalWidth) }.filter { seen.insert($0).inserted }
    }

    /// The recipes for all of `sizes` that nothing has been made by yet of `source`.
    func lacking(in source: SourceRecord, for sizes: [PosterSize]) -> [Recipe] {
        recipes(for: sizes, originalWidth: source.picture.widthPixels).filter { source.renditions[$0.description] == nil }
    }
}
