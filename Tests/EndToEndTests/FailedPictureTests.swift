import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Pictures that cannot be had")
    struct FailedPictureTests {
        struct Fault: Sendable, CustomTestStringConvertible {
            let rule: String
            let reason: String

            var testDescription: String { "\(rule): \(reason)" }
        }

        static let faults = [
            Fault(rule: "body=html", reason: "not-an-image"),
            Fault(rule: "body=json", reason: "not-an-image"),
            Fault(rule: "body=garbage", reason: "not-an-image"),
            Fault(rule: "body=empty", reason: "empty-body"),
            Fault(rule: "status=403", reason: "http-403"),
            Fault(rule: "status=410", reason: "http-410"),
            Fault(rule: "partial", reason: "http-206"),
            Fault(rule: "redirect=loop", reason: "too-many-redirects"),
            Fault(rule: "redirect=http://example.com/a.jpg", reason: "not-allowed"),
            Fault(rule: "endless", reason: "too-many-bytes"),
            Fault(rule: "truncate=50%", reason: "truncated-transfer"),
            Fault(rule: "reset", reason: "connection-lost"),
        ]

        @Test("One bad poster is a reason in the manifest and exit code 3; the others are had", arguments: faults)
        func oneBadPoster(fault: Fault) async throws {
            try await Scene.with(titles: 4) { scene in
                let path = try #require(scene.standIn.titles(in: "trending/movie/week")?.first?.posterPath)
                try scene.standIn.addFaults("images path=/w342\(path) \(fault.rule)")
                let ending = try await scene.posterity("mirror", "--json")
                #expect(ending.status == 3, "\(ending.errors)")
                let summary = try RunReport(ending).summary
                #expect(summary.reasons == [fault.reason: 1])
                #expect((summary.fetched, summary.failed) == (11, 1))
                #expect(ending.errors.contains("w342 of"), "the log names the picture: \(ending.errors)")
                let manifest = try await scene.manifest()
                let title = try #require(manifest.titles.first)
                #expect(title.missing?.reason.rawValue == fault.reason)
                #expect(title.missing?.sizes?.keys.sorted() == ["w342"])
                #expect(title.poster?.sizes.keys.sorted() == ["w185", "w500"], "what could be had is there")
                #expect(manifest.titles.dropFirst().allSatisfy { $0.missing == nil })
                try await ManifestSchema.expectValid(scene)
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectSound()
                try await cache.expectWhole(manifest)
                #expect(cache.objects.count == 22, "nothing is kept of what was refused")
            }
        }

        @Test("A picture that is cut short, and says so nowhere, is refused")
        func truncatedImage() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror", "--sizes", "w500").status == 0)
                let manifest = try await scene.manifest()
                let original = try #require(manifest.originals.first)
                let half = scene.home + "/half.jpg"
                try await Tool.run(
                    "/bin/sh", ["-c", "head -c $(($2 / 2)) \"$0\" > \"$1\"", "\(scene.cache)/\(original.path)", half, "\(original.bytes)"])
                try scene.standIn.addFaults("images path=/w185/ file=\(half)")
                let ending = try await scene.posterity("mirror", "--sizes", "w185", "--json")
                #expect(ending.status == 3)
                #expect(try RunReport(ending).summary.reasons == ["truncated-image": 3])
            }
        }

        @Test("A failure keeps the earlier copy, and the manifest and the log say so")
        func keptCopy() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                let before = try await scene.manifest()
                try scene.standIn.addFaults("images path=/w342/ status=200 body=html")
                let ending = try await scene.posterity("mirror", "--refresh", "--json")
                #expect(ending.status == 3)
                #expect(try RunReport(ending).summary.kept == 3)
                #expect(ending.errors.contains("kept the copy of"))
                let after = try await scene.manifest()
                #expect(after.originals.map(\.digest) == before.originals.map(\.digest))
                #expect(after.renditions == before.renditions)
                #expect(after.originals.count { $0.kept?.reason == .notAnImage } == 3)
                #expect(after.titles.allSatisfy { $0.missing == nil })
                try await CacheInspection(root: scene.cache).expectWhole(before)
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("A dead image host ends with 3, soon, with the list's titles in the manifest")
        func deadImageHost() async throws {
            try await Scene.with(titles: 6) { scene in
                let ending = try await scene.posterity("mirror", "--json", changes: ["POSTERITY_IMAGES": "http://127.0.0.1:9/t/p"])
                #expect(ending.status == 3)
                let summary = try RunReport(ending).summary
                #expect(summary.failed == 18)
                #expect(Set(summary.reasons.keys).isSubset(of: ["connection-refused", "host-unavailable"]))
                #expect(try await scene.manifest().titles.count == 6)
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("A dead image host loses nothing of what is kept")
        func deadImageHostLater() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
                let before = try await scene.manifest()
                try scene.standIn.addFaults("images reset")
                let ending = try await scene.posterity("mirror", "--sizes", "w185", "--refresh")
                #expect(ending.status == 3)
                #expect(try await scene.manifest().originals.map(\.digest) == before.originals.map(\.digest))
            }
        }

        @Test("A host that stumbles is asked again, and the run is whole")
        func stumbling() async throws {
            try await Scene.with(titles: 3) { scene in
                try scene.standIn.addFaults("images size=w342 each first=1 status=503")
                let ending = try await scene.posterity("mirror", "--json")
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(try RunReport(ending).summary.fetched == 9)
                #expect(scene.imageCounts == [200: 9, 503: 3])
            }
        }

        @Test("When a host is in trouble the log says it some times, and the manifest each time")
        func manyFailures() async throws {
            try await Scene.with(titles: 20) { scene in
                try scene.standIn.addFaults("images body=html")
                let ending = try await scene.posterity("mirror")
                #expect(ending.status == 3)
                #expect(ending.errorLines.count { $0.contains("not an image") || $0.contains("HTML") } <= 12)
                #expect(try await scene.manifest().titles.allSatisfy { $0.missing?.sizes?.count == 3 })
            }
        }
    }
}
