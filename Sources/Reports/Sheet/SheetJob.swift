internal import Core
internal import Drawing
internal import Imaging
internal import Mirroring

/// One sheet being made: what is needed to make it.
struct SheetJob: Sendable {
    let plan: SheetPlan
    let options: SheetOptions
    let manifest: Manifest
    let movements: Movements?
    let root: String
    let renderer: Renderer
    /// One thread, on which all drawing happens.
    let drawing: WorkerThreads
    let readers: WorkerThreads

    struct Written: Sendable {
        var paths: [String]
        var pictures: Int
        var missingCharacters: Set<Unicode.Scalar>
        var lost: [LostPictures]
    }

    /// The pictures that each cell of `row` needs.
    func pictures(for row: SheetPlan.Row, from shelf: PosterShelf) async throws -> [SheetPicture?] {
        guard case .cells(let places) = row.content else { return [] }
        return try await shelf.pictures(of: plan.titles[places])
    }
}

/// Something that belongs to the drawing thread.
///
/// `@unchecked Sendable`: it is made, used and released by jobs of one `WorkerThreads` of one thread, one after the other.
final class OnDrawingThread<Value>: @unchecked Sendable {
    private var value: Value?

    init() {}

    /// Runs `body` with the value, which `make` makes the first time.
    func with<Result, Failure: Error>(
        _ make: () throws(Failure) -> Value, _ body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if value == nil { value = try make() }
        return try body(value!)
    }

    func release() { value = nil }
}

extension SheetError {
    init(_ error: DrawingError, path: String) {
        self.init(error.code == .cannotWrite ? .cannotWrite : .failed, "\(path): \(error.description)")
    }
}
