import Core
import Imaging
import Testing
import TestSupport

@testable import StandIn

@Suite("Posters")
struct PosterTests {
    private let catalogue = Catalogue()

    private func path(_ index: Int, _ size: String = "w342") -> String {
        "/t/p/\(size)\(catalogue.titles[index].posterPath ?? "")"
    }

    @Test("A poster is a baseline JPEG of exactly the size asked for, its colour at half resolution")
    func geometry() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.imagesURL)
            for (size, width, height) in [("w185", 185, 278), ("w342", 342, 513), ("w500", 500, 750), ("h300", 200, 300), ("w92", 92, 138)]
            {
                let answer = await client.get(path(0, size))
                try #require(answer.status == 200)
                #expect(answer.header("Content-Type") == "image/jpeg")
                #expect(answer.header("Cache-Control") == "public, max-age=2592000")
                let frame = try #require(JPEGFrame(answer.body))
                #expect(frame.isBaseline && frame.isHalfColour)
                #expect(frame.width == width && frame.height == height)
            }
            for wrong in ["w0", "w99999", "x342", "w-5", "342", ""] { #expect(await client.get(path(0, wrong)).status == 404) }
        }
    }

    @Test("On average the three sizes weigh about 15, 40 and 75 KB")
    func weight() async throws {
        try await PosterPainter.withPainter(threads: 2) { painter in
            for (token, bounds) in [("w185", 10_000...20_000), ("w342", 28_000...52_000), ("w500", 55_000...98_000)] {
                let size = try #require(PosterSize(token))
                var total = 0
                for index in 0..<Scene.compositionCount { total += try await painter.jpeg(catalogue.titles[index], size).count }
                let average = total / Scene.compositionCount
                #expect(bounds.contains(average), "\(token): \(average) bytes on average")
            }
        }
    }

    @Test("Painted twice, a poster has the same bytes; other titles have other posters")
    func determinism() async throws {
        let size = try #require(PosterSize("w185"))
        let first = try await PosterPainter.withPainter(threads: 2) { try await $0.jpeg(catalogue.titles[3], size) }
        let second = try await PosterPainter.withPainter(threads: 1) { try await $0.jpeg(catalogue.titles[3], size) }
        let other = try await PosterPainter.withPainter(threads: 1) {
            try await $0.jpeg(catalogue.titles[3 + Scene.compositionCount], size)
        }
        #expect(first == second)
        #expect(first != other)
    }

    @Test("Validators: the same ETag each time, 304 for it or for the date, 200 for another")
    func validators() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.imagesURL)
            let first = await client.get(path(1))
            let etag = try #require(first.header("ETag"))
            let date = try #require(first.header("Last-Modified"))
            #expect(await client.get(path(1)).header("ETag") == etag)
            let unchanged = await client.get(path(1), headers: ["If-None-Match: \"other\", \(etag)"])
            #expect(unchanged.status == 304 && unchanged.body.isEmpty && unchanged.header("ETag") == etag)
            #expect(await client.get(path(1), headers: ["If-Modified-Since: \(date)"]).status == 304)
            #expect(await client.get(path(1), headers: ["If-Modified-Since: Thu, 01 Jan 2015 00:00:00 GMT"]).status == 200)
            #expect(await client.get(path(1), headers: ["If-None-Match: \"other\"", "If-Modified-Since: \(date)"]).status == 200)
            #expect(standIn.counts["images 304"] == 2)
        }
    }

    @Test("HEAD tells the length and sends no body")
    func head() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.imagesURL)
            let full = await client.get(path(2))
            let head = await client.send("HEAD", path(2))
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.header("Content-Length") == "\(full.body.count)")
        }
    }

    @Test("Without a lifetime and validators, neither is sent")
    func bare() async throws {
        var options = StandInOptions()
        options.cacheControl = nil
        options.sendsValidators = false
        try await StandIn.withStandIn(options) { standIn in
            let answer = await RawClient(standIn.imagesURL).get(path(2))
            #expect(answer.status == 200)
            #expect(answer.header("Cache-Control") == nil && answer.header("ETag") == nil && answer.header("Last-Modified") == nil)
        }
    }

    @Test("Unusual but legal paths have posters, titles without one have none")
    func unusualPaths() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.imagesURL)
            for target in ["/a%20b.jpg", "/%C3%A9.jpg", "/what%3F.jpg", "/no%231.jpg", "/100%25.jpg", "/plus+and&.jpg"] {
                #expect(await client.get("/t/p/w92\(target)").status == 200, "\(target)")
            }
            for target in ["/a.jpg", "/", "", "/../w342/x.jpg"] {
                #expect(await client.get("/t/p/w92\(target)").status == 404, "\(target)")
            }
        }
    }

    @Test("Kept posters are sent again by the next stand-in as they are")
    func store() async throws {
        try await withTemporaryDirectory { directory in
            var options = StandInOptions()
            options.store = directory + "/posters"
            let painted = try await StandIn.withStandIn(options) { await RawClient($0.imagesURL).get(path(4)).body }
            let names = try TestFile.names(in: directory + "/posters")
            let name = try #require(names.first)
            #expect(names.count == 1)
            #expect(!painted.isEmpty)
            try TestFile.write(Array("kept".utf8), to: directory + "/posters/" + name)
            #expect(try await StandIn.withStandIn(options) { await RawClient($0.imagesURL).get(path(4)).text } == "kept")
        }
    }

    @Test("Memory is bounded: with room for one poster, all are still right")
    func bound() async throws {
        var options = StandInOptions()
        options.memoryBytes = 20_000
        try await StandIn.withStandIn(options) { standIn in
            let client = RawClient(standIn.imagesURL)
            let first = await client.get(path(0, "w185")).body
            for index in 1...3 { #expect(await client.get(path(index, "w185")).status == 200) }
            #expect(await client.get(path(0, "w185")).body == first)
        }
    }

    @Test("Painting beforehand makes every poster of the catalogue before the stand-in is ready")
    func prepaint() async throws {
        try await withTemporaryDirectory { directory in
            var options = StandInOptions()
            options.titles = 2
            options.prepaints = true
            options.store = directory
            try await StandIn.withStandIn(options) { _ in }
            #expect(try TestFile.names(in: directory).count == (2 + 1) * 3)
        }
    }

    @Test("Many who ask for the same poster at once get the same one")
    func together() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.imagesURL)
            let target = path(5)
            let bodies = await withTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<12 { group.addTask { await client.get(target).body } }
                return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(bodies.count == 1 && bodies.first?.isEmpty == false)
        }
    }
}

/// What a JPEG's frame header says, read here anew so that the program's own reading is not its judge.
private struct JPEGFrame {
    var isBaseline = false
    var isHalfColour = false
    var width = 0
    var height = 0

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while place + 12 < bytes.count, bytes[place] == 0xFF {
            let (marker, length) = (bytes[place + 1], Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
            if marker == 0xC0 || marker == 0xC2 {
                isBaseline = marker == 0xC0
                height = Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
                width = Int(bytes[place + 7]) << 8 | Int(bytes[place + 8])
                isHalfColour = bytes[place + 11] == 0x22
                return
            }
            place += 2 + length
        }
        return nil
    }
}
