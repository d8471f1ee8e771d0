import Amodb
import Core
import FoundationEssentials
import Imaging
import Mirroring
import StandIn
import Storage
import TestSupport
import Testing

@Suite("What still counts of an earlier run")
struct FreshnessTests {
    @Test("A picture is not asked for within its time, and after it with its validators")
    func lifetime() async throws {
        try await Workshop.with { workshop in
            #expect(try await workshop.mirror().summary.fetched == 3)
            #expect(workshop.imageRequests() == [200: 3])
            workshop.clock.advance(by: 30 * day - 1)
            #expect(try await workshop.mirror().summary.fresh == 3)
            #expect(workshop.imageRequests() == [:])
            workshop.clock.advance(by: 1)
            let summary = try await workshop.mirror().summary
            #expect((summary.unchanged, summary.rendered) == (3, 0))
            #expect(workshop.imageRequests() == [304: 3])
            workshop.clock.advance(by: 29 * day)
            #expect(try await workshop.mirror().summary.fresh == 3, "a 304 starts the time anew")
        }
    }

    @Test(
        "The host says how long; when it says nothing it is 30 days",
        arguments: [("max-age=60", 60.0), (nil, 30 * day), ("no-store", 0), ("no-cache", 0)] as [(String?, Double)])
    func hostsWord(cacheControl: String?, seconds: Double) async throws {
        var options = StandInOptions()
        options.cacheControl = cacheControl
        try await Workshop.with(titles: 1, options) { workshop in
            let original = try #require(try await workshop.mirroredManifest().titles.first?.poster?.sizes["w92"]?.original)
            #expect(original.freshUntil.timeIntervalSince(original.fetchedAt) == seconds)
            if seconds > 0 {
                workshop.clock.advance(by: seconds - 1)
                #expect(try await workshop.mirror().summary.fresh == 1)
                workshop.clock.advance(by: 1)
            }
            #expect(try await workshop.mirror().summary.unchanged == 1)
        }
    }

    @Test("Without validators a picture is asked for in full after its time, and the same bytes are no change")
    func noValidators() async throws {
        var options = StandInOptions()
        options.sendsValidators = false
        try await Workshop.with(titles: 1, options) { workshop in
            _ = try await workshop.mirror()
            workshop.clock.advance(by: 31 * day)
            let summary = try await workshop.mirror().summary
            #expect(summary.unchanged == 1 && summary.fetched == 0 && summary.rendered == 0)
            #expect(workshop.imageRequests() == [200: 2])
        }
    }

    @Test("When the clock was set back, the age of a copy is unknown, so the host is asked")
    func clockSetBack() async throws {
        try await Workshop.with { workshop in
            _ = try await workshop.mirror()
            workshop.clock.advance(by: -day)
            #expect(try await workshop.mirror().summary.unchanged == 3)
        }
    }

    @Test("A picture that was not there is not asked for again within a day", arguments: [404, 410])
    func absent(status: Int) async throws {
        try await Workshop.with { workshop in
            try workshop.standIn.addFaults("images status=\(status)")
            #expect(try await workshop.mirror().summary.reasons == ["http-\(status)": 3])
            _ = workshop.imageRequests()
            workshop.clock.advance(by: day - 1)
            let outcome = try await workshop.mirror()
            #expect(workshop.imageRequests() == [:])
            #expect(outcome.summary.reasons == ["http-\(status)": 3], "it is still missing")
            #expect(
                try await workshop.manifest(of: outcome).titles.first?.missing?.detail.contains("asked at 2026-11-30T06:00:00Z") == true)
            #expect(try await workshop.mirror { $0.retryMissing = true }.summary.fetched == 3)
        }
    }

    @Test("After a day it is asked for again, and so it is when the clock was set back", arguments: [day, -1])
    func absentLater(seconds: Double) async throws {
        try await Workshop.with { workshop in
            try workshop.standIn.addFaults("images status=404")
            _ = try await workshop.mirror()
            _ = workshop.imageRequests()
            workshop.clock.advance(by: seconds)
            #expect(try await workshop.mirror().summary.fetched == 3)
        }
    }

    @Test("Other failures are not remembered", arguments: ["status=403", "body=html", "status=500"])
    func otherFailures(fault: String) async throws {
        try await Workshop.with { workshop in
            try workshop.standIn.addFaults("images \(fault)")
            #expect(try await workshop.mirror().summary.failed == 3)
            _ = workshop.imageRequests()
            #expect(try await workshop.mirror().summary.fetched == 3)
        }
    }

    @Test("A failure keeps the copy, says why, and is tried again by the next run")
    func keptCopy() async throws {
        try await Workshop.with { workshop in
            let before = try await workshop.mirroredManifest()
            workshop.clock.advance(by: 31 * day)
            try workshop.standIn.addFaults("images status=200 body=html")
            let outcome = try await workshop.mirror()
            #expect(outcome.summary.kept == 3)
            for (now, earlier) in zip(try await workshop.manifest(of: outcome).titles, before.titles) {
                let (now, earlier) = (try #require(now.poster?.sizes["w92"]), try #require(earlier.poster?.sizes["w92"]))
                #expect(now.original?.digest == earlier.original?.digest)
                #expect(now.original?.kept?.reason == .notAnImage)
                #expect(now.renditions == earlier.renditions)
            }
            _ = workshop.imageRequests()
            #expect(try await workshop.mirror().summary.unchanged == 3)
        }
    }

    @Test("A 404 does not take away a copy that is there")
    func goneCopy() async throws {
        try await Workshop.with(titles: 1) { workshop in
            _ = try await workshop.mirror()
            workshop.clock.advance(by: 31 * day)
            try workshop.standIn.addFaults("images status=404")
            let outcome = try await workshop.mirror()
            #expect(outcome.summary.kept == 1)
            #expect(try await workshop.manifest(of: outcome).titles.first?.poster?.sizes["w92"]?.original?.kept?.reason == .status(404))
        }
    }

    @Test("A 304 that nobody asked for is a failure")
    func unaskedNotModified() async throws {
        try await Workshop.with(titles: 1) { workshop in
            try workshop.standIn.addFaults("images not-modified")
            #expect(try await workshop.mirror().summary.reasons == ["http-304": 1])
        }
    }

    @Test(
        "A copy whose bytes have changed, though not its size, is set aside and fetched again, be it fresh or not",
        arguments: [0, 31 * day])
    func damagedCopy(age: Double) async throws {
        try await Workshop.with(titles: 1) { workshop in
            let original = try #require(try await workshop.mirroredManifest().titles.first?.poster?.sizes["w92"]?.original)
            let file = URL(filePath: "\(workshop.cache.root)/\(original.path)")
            var bytes = Array(try Data(contentsOf: file))
            let good = bytes
            bytes[bytes.count / 2] ^= 0xFF
            try FileManager.default.removeItem(at: file)
            try Data(bytes).write(to: file)
            workshop.clock.advance(by: age)
            let outcome = try await workshop.mirror { $0.recipes = [try! Recipe("cover,png")] }
            #expect(outcome.summary.fetched == 1)
            #expect(Array(try Data(contentsOf: file)) == good)
            #expect(workshop.log.lines(.warning).contains { $0.contains("its bytes have changed") })
        }
    }

    @Test("A refresh asks without validators for an original whose bytes have changed", arguments: [true, false])
    func refreshOfDamagedOriginal(isOriginal: Bool) async throws {
        try await Workshop.with(titles: 1) { workshop in
            let size = try #require(try await workshop.mirroredManifest().titles.first?.poster?.sizes["w92"])
            let damaged = isOriginal ? size.original!.path : size.renditions[0].path
            let file = URL(filePath: "\(workshop.cache.root)/\(damaged)")
            let good = Array(try Data(contentsOf: file))
            var bytes = good
            bytes[bytes.count / 2] ^= 0xFF
            try FileManager.default.removeItem(at: file)
            try Data(bytes).write(to: file)
            _ = workshop.imageRequests()
            let summary = try await workshop.mirror { $0.refresh = true }.summary
            #expect(workshop.imageRequests() == [isOriginal ? 200 : 304: 1])
            #expect(summary.fetched == (isOriginal ? 1 : 0) && summary.rendered == 1)
            #expect(Array(try Data(contentsOf: file)) == good)
            #expect(workshop.log.lines(.warning).contains { $0.contains(damaged) && $0.contains("its bytes have changed") })
        }
    }

    @Test("A copy that is kept after a failure gets the renditions that it lacks")
    func keptCopyIsCompleted() async throws {
        try await Workshop.with(titles: 2) { workshop in
            _ = try await workshop.mirror()
            workshop.clock.advance(by: 31 * day)
            try workshop.standIn.addFaults("images reset")
            let outcome = try await workshop.mirror { $0.recipes = [try! Recipe("cover,png")] }
            #expect((outcome.summary.kept, outcome.summary.rendered) == (2, 2))
            for title in try await workshop.manifest(of: outcome).titles {
                #expect(title.poster?.sizes["w92"]?.renditions.map(\.mediaType) == ["image/png"])
            }
        }
    }

    @Test("A rendition of a copy that cannot be made is one picture's trouble, not the run's")
    func renditionFails() async throws {
        try await Workshop.with(titles: 3) { workshop in
            _ = try await workshop.mirror { $0.extent = .top(1) }
            var limits = ImageLimits.standard
            limits.maximumPixels = 10
            let outcome = try await workshop.mirror(limits: limits) {
                $0.extent = .top(1)
                $0.recipes = [try! Recipe("cover,png")]
            }
            #expect(outcome.summary.reasons == ["too-many-pixels": 1])
            #expect(try await workshop.manifest(of: outcome).titles.first?.poster?.sizes["w92"]?.original?.kept?.reason == .tooManyPixels)
        }
    }

    @Test("A damaged copy whose host is down is no copy")
    func damagedCopyOfDeadHost() async throws {
        try await Workshop.with(titles: 1) { workshop in
            let original = try #require(try await workshop.mirroredManifest().titles.first?.poster?.sizes["w92"]?.original)
            let file = URL(filePath: "\(workshop.cache.root)/\(original.path)")
            try FileManager.default.removeItem(at: file)
            try Data(repeating: 0, count: original.bytes).write(to: file)
            try workshop.standIn.addFaults("images reset")
            let outcome = try await workshop.mirror { $0.recipes = [try! Recipe("cover,png")] }
            #expect(outcome.summary.failed == 1)
            #expect(try await workshop.manifest(of: outcome).titles.first?.missing?.reason == .connectionLost)
        }
    }

    @Test("A preview promises what the run then does")
    func preview() async throws {
        try await Workshop.with(titles: 6) { workshop in
            func expectKept(_ change: (inout MirrorRequest) -> Void) async throws {
                let promised = try await workshop.preview(change)
                let done = try await workshop.mirror(change).summary
                #expect(promised.toFetch == done.fetched)
                #expect(promised.toRevalidate == done.unchanged)
                #expect(promised.settled == done.fresh)
                #expect(promised.toRender == done.rendered)
                #expect((promised.titles, promised.pictures) == (done.titles, done.pictures))
            }
            try await expectKept { $0.extent = .top(2) }
            try await expectKept { _ in }
            try await expectKept { $0.refresh = true }
            try await expectKept { $0.recipes = [.standard, try! Recipe("cover,40x60,png")] }
            try await expectKept { $0.deriveFrom = PosterSize("w154") }
            workshop.clock.advance(by: 31 * day)
            try await expectKept { _ in }
        }
    }

    @Test("A new recipe of a kept original keeps its colour and placeholder in the manifest")
    func summaryStays() async throws {
        try await Workshop.with { workshop in
            let before = try await workshop.mirroredManifest()
            let outcome = try await workshop.mirror { $0.recipes = [try! Recipe("cover,radius=8%,webp")] }
            #expect(outcome.summary.rendered == 3 && outcome.summary.fetched == 0)
            let after = try await workshop.manifest(of: outcome)
            #expect(before.titles.allSatisfy { $0.poster?.colour != nil && $0.poster?.placeholder != nil })
            #expect(after.titles.map { $0.poster?.colour } == before.titles.map { $0.poster?.colour })
            #expect(after.titles.map { $0.poster?.placeholder } == before.titles.map { $0.poster?.placeholder })
        }
    }
}
