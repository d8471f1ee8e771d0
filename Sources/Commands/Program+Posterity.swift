extension Program {
    /// This program.
    package static let posterity = Program(
        version: "0.1.0",
        summary: "Mirror film posters into a content-addressed cache",
        verbs: [.mirror, .sheet, .site, .manifest, .runs, .explain, .verify, .prune, .pin, .stats, .languages, .standIn])
}
