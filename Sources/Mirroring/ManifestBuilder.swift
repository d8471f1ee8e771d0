internal import Amodb
internal import Core
internal import FoundationEssentials
internal import Imaging
internal import Storage

/// Writes down what a run found: plan and results become a manifest.
struct ManifestBuilder {
    let request: MirrorRequest
    let recipes: RecipeBook
    let plan: MirrorPlan
    /// By URL.
    let results: [String: PictureWorker.Result]
    let details: [TitleID: DetailsOutcome]

    /// - Parameter isComplete: whether the run got through all of the plan.
    func manifest(named name: String, startedAt: Date, finishedAt: Date, isComplete: Bool) -> Manifest {
        Manifest(
            run: name, lists: request.lists.map(\.path), language: request.language, week: ISOWeek(containing: startedAt).description,
            startedAt: startedAt, finishedAt: finishedAt, complete: isComplete, sizes: request.sizes.map(\.token),
            details: request.details.isEmpty ? nil : request.details.map(\.rawValue), titles: plan.entries.map(title)
        )
    }

    // MARK: - Private

    private func title(_ entry: MirrorPlan.Entry) -> Manifest.Title {
        let title = entry.title
        var poster: Manifest.Poster?
        var missing: Manifest.Missing? = Manifest.Missing(reason: .noPoster, detail: "the API names no poster")
        if let path = title.posterPath { (poster, missing) = pictures(at: path) }
        return Manifest.Title(
            rank: entry.rank, list: entry.list.path, id: title.id, mediaType: title.mediaType, title: title.title, year: title.year,
            score: title.score, poster: poster, missing: missing, details: details[title.identity]?.details,
            detailsMissing: details[title.identity]?.missing)
    }

    private func pictures(at path: String) -> (Manifest.Poster, Manifest.Missing?) {
        if let detail = plan.refusedPaths[path] {
            return (
                Manifest.Poster(path: path, colour: nil, placeholder: nil, sizes: [:]), Manifest.Missing(reason: .badPath, detail: detail)
            )
        }
        var poster = Manifest.Poster(path: path, colour: nil, placeholder: nil, sizes: [:])
        var missing: [String: Manifest.Missing] = [:]
        let fetchedSizes = request.deriveFrom.map { [$0] } ?? request.sizes
        for size in fetchedSizes {
            guard let url = plan.url(of: path, size: size), let result = results[url] else { continue }
            guard let source = result.source else {
                let targets = request.deriveFrom == nil ? [size] : request.sizes
                for target in targets { missing[target.token] = result.outcome.failure }
                continue
            }
            // The widest picture comes last and speaks for the poster.
            poster.colour = source.colour
            poster.placeholder = source.placeholder
            add(source, outcome: result.outcome, of: size, to: &poster)
        }
        return (poster, summarise(missing))
    }

    private func add(_ source: SourceRecord, outcome: PictureOutcome, of size: PosterSize, to poster: inout Manifest.Poster) {
        let original = Manifest.Original(source, kept: outcome.failure)
        poster.sizes[size.token] = Manifest.Size(original: original, renditions: [])
        for target in request.deriveFrom == nil ? [size] : request.sizes {
            let renditions = recipes.recipes(for: target, originalWidth: source.picture.widthPixels).compactMap { recipe in
                source.renditions[recipe.description].map { Manifest.Rendition(recipe: recipe.description, $0) }
            }
            if target == size {
                poster.sizes[target.token]?.renditions = renditions
            } else {
                poster.sizes[target.token] = Manifest.Size(original: nil, derivedFrom: size.token, renditions: renditions)
            }
        }
    }

    private func summarise(_ missing: [String: Manifest.Missing]) -> Manifest.Missing? {
        let inOrder = request.sizes.map(\.token).filter { missing[$0] != nil }
        guard let first = inOrder.first.flatMap({ missing[$0] }) else { return nil }
        let detail = inOrder.map { "\($0): \(missing[$0]?.detail ?? "")" }.joined(separator: "; ")
        return Manifest.Missing(reason: first.reason, detail: detail, sizes: missing)
    }
}

extension Manifest.Original {
    fileprivate init(_ source: SourceRecord, kept: Manifest.Missing?) {
        self.init(
            url: source.url, path: source.picture.path, digest: source.picture.digest, bytes: source.picture.byteCount,
            width: source.picture.widthPixels, height: source.picture.heightPixels, mediaType: source.picture.mediaType, etag: source.etag,
            lastModified: source.lastModified, fetchedAt: source.fetchedAt, freshUntil: source.freshUntil, kept: kept)
    }
}

extension Manifest.Rendition {
    fileprivate init(recipe: String, _ picture: StoredPicture) {
        self.init(
            recipe: recipe, path: picture.path, digest: picture.digest, bytes: picture.byteCount, width: picture.widthPixels,
            height: picture.heightPixels, mediaType: picture.mediaType)
    }
}
