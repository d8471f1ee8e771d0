internal import Core
package import Imaging
internal import Storage

/// Which recipes apply to which size of a run.
///
/// A recipe without dimensions is made for every size. One that has them is made once a poster, under the smallest size that is wide
/// enough for it (else the widest), so that nothing is enlarged that need not be.
package struct RecipeBook: Sendable {
    /// A recipe, and its canonical text, which is asked for so often that it is made once.
    struct Named: Sendable {
        let recipe: Recipe
        let name: String
    }

    private let everySize: [Recipe]
    private let onlyFor: [PosterSize: [Recipe]]
    /// Of the sizes that name a width.
    private let bySize: [PosterSize: [Named]]

    package init(_ recipes: [Recipe], sizes: [PosterSize]) {
        let everySize = recipes.filter { !$0.hasDimensions }
        let byWidth = sizes.sorted { ($0.widthPixels ?? .max) < ($1.widthPixels ?? .max) }
        var onlyFor: [PosterSize: [Recipe]] = [:]
        for recipe in recipes where recipe.hasDimensions {
            let sufficient = byWidth.first { ($0.widthPixels ?? .max) >= (recipe.width ?? 0) }
            guard let size = sufficient ?? byWidth.last else { continue }
            onlyFor[size, default: []].append(recipe)
        }
        var bySize: [PosterSize: [Named]] = [:]
        for size in sizes {
            guard let width = size.widthPixels else { continue }
            bySize[size] = Self.resolved(everySize + onlyFor[size, default: []], forWidth: width)
        }
        self.everySize = everySize
        self.onlyFor = onlyFor
        self.bySize = bySize
    }

    /// The recipes for `size`, resolved, without duplicates.
    ///
    /// - Parameter originalWidth: stands in for the width of a size whose token names none.
    func named(for size: PosterSize, originalWidth: Int) -> [Named] {
        bySize[size] ?? Self.resolved(everySize + onlyFor[size, default: []], forWidth: size.widthPixels ?? originalWidth)
    }

    package func recipes(for size: PosterSize, originalWidth: Int) -> [Recipe] {
        named(for: size, originalWidth: originalWidth).map(\.recipe)
    }

    /// The recipes for all of `sizes`, without duplicates.
    package func recipes(for sizes: [PosterSize], originalWidth: Int) -> [Recipe] {
        var seen: Set<Recipe> = []
        return sizes.flatMap { recipes(for: $0, originalWidth: originalWidth) }.filter { seen.insert($0).inserted }
    }

    /// The recipes for all of `sizes` that nothing has been made by yet of `source`.
    func lacking(in source: SourceRecord, for sizes: [PosterSize]) -> [Recipe] {
        var lacking: [Recipe] = []
        for size in sizes {
            for named in named(for: size, originalWidth: source.picture.widthPixels)
            where source.renditions[named.name] == nil && !lacking.contains(named.recipe) {
                lacking.append(named.recipe)
            }
        }
        return lacking
    }

    private static func resolved(_ recipes: [Recipe], forWidth width: Int) -> [Named] {
        var seen: Set<Recipe> = []
        return recipes.map { $0.resolved(forWidth: width) }.filter { seen.insert($0).inserted }.map {
            Named(recipe: $0, name: $0.description)
        }
    }
}
