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

    /// All but the titles.
    ///
    /// - Parameter isComplete: whether the run got through all of the plan.
    func manifest(named name: String, startedAt: Date, finishedAt: Date, isComplete: Bool) -> Manifest {
        Manifest(
            run: name, lists: request.lists.map(\.path), language: request.language, week: ISOWeek(containing: startedAt).description,
            startedAt: startedAt, finishedAt: finishedAt, complete: isComplete, sizes: request.sizes.map(\.token),
            details: request.details.isEmpty ? nil : request.details.map(\.rawValue), titles: []
        )
    }

    /// - Parameter results: of the poster's pictures, in the order of the sizes that are fetched.
    func title(_ entry: MirrorPlan.Entry, _ results: [PictureWorker.Result], details: DetailsOutcome?) -> Manifest.Title {
        let title = entry.title
        var poster: Manifest.Poster?
        var missing: Manifest.Missing? = Manifest.Missing(reason: .noPoster, detail: "the API names no poster")
        if let path = title.posterPath { (poster, missing) = pictures(at: path, results) }
        return Manifest.Title(
            rank: entry.rank, list: entry.list.path, id: title.id, mediaType: title.mediaType, title: title.title, year: title.year,
            score: title.score, poster: poster, missing: missing, details: details?.details, detailsMissing: details?.missing)
    }

    // MARK: - Private

    private func pictures(at path: String, _ results: [PictureWorker.Result]) -> (Manifest.Poster, Manifest.Missing?) {
        var poster = Manifest.Poster(path: path, colour: nil, placeholder: nil, sizes: [:])
        if let detail = plan.refusedPaths[path] { return (poster, Manifest.Missing(reason: .badPath, detail: detail)) }
        var missing: [String: Manifest.Missing] = [:]
        for ((size, targets), result) in zip(plan.fetchedSizes, results) {
            guard let source = result.source else {
                for target in targets { missing[target.token] = result.outcome.failure }
                continue
            }
            // The widest picture comes last and speaks for the poster.
            poster.colour = source.colour
            poster.placeholder = source.placeholder
            add(source, outcome: result.outcome, of: size, for: targets, to: &poster)
        }
        return (poster, summarise(missing))
    }

    private func add(
        _ source: SourceRecord, outcome: PictureOutcome, of size: PosterSize, for targets: [PosterSize], to poster: inout Manifest.Poster
    ) {
        let original = Manifest.Original(source, kept: outcome.failure)
        poster.sizes[size.token] = Manifest.Size(original: original, renditions: [])
        for target in targets {
            let renditions = recipes.named(for: target, originalWidth: source.picture.widthPixels).compactMap { recipe in
                source.renditions[recipe.name].map { Manifest.Rendition(recipe: recipe.name, $0) }
            }
            if target == size {
                poster.sizes[target.token]?.renditions = renditions
            } else {
                poster.sizes[target.token] = Manifest.Size(original: nil, derivedFrom: size.token, renditions: renditions)
            }
        }
    }

    private func summarise(_ missing: [String: Manifest.Missing]) -> Manifest.Missing? {
        if missing.isEmpty { return nil }
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
