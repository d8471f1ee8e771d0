import Amodb
import Core
import FoundationEssentials
import StandIn
import Testing

@testable import Mirroring

@Suite("A manifest, written while the run goes on")
struct ManifestTextTests {
    @Test("Title by title it is the same text as written whole, with one title, many or none", arguments: [0, 1, 3])
    func framed(count: Int) async throws {
        try await Workshop.with(titles: 3) { workshop in
            var manifest = try await workshop.mirroredManifest()
            manifest.titles = Array(manifest.titles.prefix(count))
            let (beginning, end) = Manifest.frame(of: manifest)
            let titles = manifest.titles.enumerated().flatMap { Manifest.text(of: $0.element, isFirst: $0.offset == 0) }
            if count > 0 { #expect(beginning + titles + end == JSONText.encode(manifest)) }
            #expect(try JSONText.decode(Manifest.self, from: JSONText.encode(manifest)) == manifest)
        }
    }

    @Test("Titles stand in rank order, whichever picture came last, and share their posters across lists")
    func order() async throws {
        try await Workshop.with(titles: 40) { workshop in
            try workshop.standIn.addFaults("images first=5 delay=300")
            let lists = ["trending/movie/week", "movie/popular"].compactMap(ListPath.init)
            let outcome = try await workshop.mirror { request in
                request.lists = lists
                request.extent = .top(40)
            }
            let manifest = try await workshop.manifest(of: outcome)
            #expect(manifest.titles.map(\.rank) == Array(1...40) + Array(1...40))
            #expect(manifest.titles.allSatisfy { $0.missing == nil && $0.poster?.sizes["w92"]?.renditions.count == 1 })
            #expect(outcome.summary.pictures == Set(manifest.titles.compactMap { $0.poster?.path }).count)
        }
    }
}
