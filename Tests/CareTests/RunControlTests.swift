import Core
import FoundationEssentials
import Mirroring
import StandIn
import Storage
import TestSupport
import Testing

@Suite("Deadline, retries and locks of a run")
struct RunControlTests {
    @Test("A deadline ends the run with what it has and 3; the rest is interrupted, and the next run goes on from there")
    func deadline() async throws {
        try await Cinema.with { cinema in
            try cinema.standIn.addFaults("path=/w40/ delay=300000")
            let outcome = try await cinema.posterity("mirror", "--deadline", "2s", "--json")
            #expect(outcome.status == 3, "\(outcome.errors)")
            let numbers = try outcome.json(RunNumbers.self)
            #expect(numbers.summary.reasons["interrupted", default: 0] >= 3)
            let manifest = try await cinema.manifest()
            #expect(!manifest.complete && manifest.titles.allSatisfy { $0.missing?.sizes?["w40"]?.reason == .interrupted })
            #expect(outcome.errors.contains("the run's deadline of 2 s came with "))
            #expect(try await cinema.posterity("verify").status == 0)

            cinema.standIn.removeFaults()
            let next = try await cinema.posterity("mirror", "--deadline", "5m", "--json")
            #expect(next.status == 0)
            #expect(try next.json(RunNumbers.self).summary.fetched == numbers.summary.failed)
            #expect(try await cinema.manifest().complete)
        }
    }

    @Test("A deadline that comes before the lists are read ends the run in one sentence")
    func deadlineOfLists() async throws {
        try await Cinema.with(titles: 1) { cinema in
            try cinema.standIn.addFaults("api delay=300000")
            let outcome = try await cinema.posterity("mirror", "--deadline", "1s", "-q")
            #expect(outcome.status == 1)
            #expect(outcome.errors == "posterity: error: the deadline of 1s came before the lists were read; nothing was mirrored\n")
        }
    }

    @Test("Retrying asks for what failed in the latest run and for nothing else, not even the list")
    func retryFailed() async throws {
        // What is there is stale at once, and is left alone all the same.
        try await Cinema.with(cacheControl: "no-cache") { cinema in
            let early = try await cinema.posterity("mirror", "--retry-failed")
            #expect(early.status == 1 && early.errors.contains("make one with `posterity mirror trending/movie/week`"))

            try cinema.standIn.addFaults("path=/w40/ first=2 status=404")
            #expect(try await cinema.posterity("mirror", "-q").status == 3)
            cinema.standIn.reset()
            let outcome = try await cinema.posterity("mirror", "--retry-failed", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let numbers = try outcome.json(RunNumbers.self)
            #expect(numbers.summary.fetched == 2 && numbers.summary.fresh == 4)
            #expect(cinema.imageRequests == 2 && cinema.apiRequests == 0)
            let manifest = try await cinema.manifest()
            #expect(manifest.titles.count == 3 && manifest.titles.allSatisfy { $0.missing == nil })

            let nothing = try await cinema.posterity("mirror", "--retry-failed")
            #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors.contains("nothing failed in the latest run"))
            #expect(try await cinema.posterity("mirror", "--retry-failed", "--refresh").status == 2)
        }
    }

    @Test("A mirror waits for another one of the same list and says so, asks for nothing meanwhile, and does no work twice")
    func listLock() async throws {
        try await Cinema.with { cinema in
            let errors = cinema.home + "/waiting"
            let waiting = try await cinema.cache { cache in
                try await cache.withListLocks(["trending/movie/week"]) {
                    let impatient = try await cinema.posterity("mirror", "--deadline", "1s", "-q")
                    #expect(impatient.status == 6 && impatient.errors.contains("another process is mirroring it"))
                    let waiting = Task { try await cinema.posterity("mirror", "--json", errors: errors) }
                    try await cinema.wait { Cinema.text(errors).contains("another process is mirroring trending/movie/week; waiting") }
                    let other = try await cinema.posterity("mirror", "movie/popular", "--dry-run")
                    #expect(other.status == 0)
                    #expect(cinema.imageRequests == 0)
                    return waiting
                }
            }
            #expect(try await waiting.value.status == 0)
        }
        try await Cinema.with { cinema in
            async let first = cinema.posterity("mirror", "--json")
            async let second = cinema.posterity("mirror", "--json")
            let numbers = [try await first.json(RunNumbers.self), try await second.json(RunNumbers.self)].map(\.summary)
            #expect(numbers.map(\.fetched).sorted() == [0, 6] && numbers.map(\.fresh).sorted() == [0, 6])
            #expect(cinema.imageRequests == 6)
        }
    }

    @Test("The same bytes again, from a host without validators, are as good as a 304: nothing is decoded")
    func sameBytes() async throws {
        try await Cinema.with(cacheControl: "no-cache", validators: false) { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            cinema.standIn.reset()
            let numbers = try await cinema.posterity("mirror", "--json").json(RunNumbers.self)
            #expect(numbers.summary.unchanged == 6 && numbers.summary.fetched == 0 && numbers.summary.rendered == 0)
            #expect(cinema.imageRequests == 6)
            // A picture that has changed is fetched, of course.
            try cinema.standIn.addFaults("path=/w92/ body=garbage")
            let spoilt = try await cinema.posterity("mirror", "--json")
            #expect(spoilt.status == 3)
            #expect(try spoilt.json(RunNumbers.self).summary.kept == 3)
        }
    }
}
