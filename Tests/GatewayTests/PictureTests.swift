import Core
import FoundationEssentials
import Glibc
import Imaging
import StandIn
import TestSupport
import Testing

@testable import Gateway

extension GatewayTests {
    @Suite("Pictures")
    struct PictureTests {
        @Test("An original is fetched, verified and kept on first use, and served from its object from then on")
        func original() async throws {
            try await House.with { house in
                let poster = try house.poster
                let direct = try await Reply(of: house.standIn.imagesURL + "/w185" + poster, [])
                house.standIn.reset()
                let first = try await house.get("/t/p/w185" + poster)
                #expect((first.status, first["Content-Type"]) == (200, "image/jpeg"))
                #expect(first.body == direct.body)
                let digest = Digest(of: direct.body).hex
                #expect(first["ETag"] == "\"\(digest)\"")
                #expect(first["Cache-Control"] == "public, max-age=2592000, immutable")
                #expect(FileManager.default.fileExists(atPath: "\(house.cache)/objects/\(digest.prefix(2))/\(digest).jpg"))
                #expect(try await house.get("/t/p/w185" + poster).body == direct.body)
                #expect(house.count(of: "images") == 1)
                house.standIn.reset()
                let again = try await house.opened { again in try await again.get("/t/p/w185" + poster) }
                #expect(again.body == direct.body)
                #expect(house.count(of: "images") == 0, "a restart asks for nothing that is kept")
            }
        }

        @Test("HEAD, ranges and conditions")
        func conditions() async throws {
            try await House.with { house in
                let target = "/t/p/w185" + (try house.poster)
                let whole = try await house.get(target)
                let count = whole.body.count
                let head = try await house.get(target, "--head")
                #expect((head.status, head.body.count, head["Content-Length"]) == (200, 0, "\(count)"))
                let part = try await house.get(target, "-H", "Range: bytes=10-19")
                #expect((part.status, part["Content-Range"]) == (206, "bytes 10-19/\(count)"))
                #expect(part.body == Array(whole.body[10...19]))
                #expect(try await house.get(target, "-H", "Range: bytes=-5").body == Array(whole.body.suffix(5)))
                #expect(try await house.get(target, "-H", "Range: bytes=\(count)-").status == 416)
                let tag = try #require(whole["ETag"])
                let unchanged = try await house.get(target, "-H", "If-None-Match: \(tag)")
                #expect((unchanged.status, unchanged.body.count) == (304, 0))
                #expect(try await house.get(target, "-H", "If-Range: \"other\"", "-H", "Range: bytes=0-1").status == 200)
            }
        }

        @Test(
            "What is no picture of an allowed size is not there, and the image host is not asked",
            arguments: [
                "/t/p/w9999/abc.jpg", "/t/p/original/abc.jpg", "/t/p/w185/", "/t/p/w185", "/t/p/w185/a/b.jpg", "/t/p/w185/..%2f..%2fx",
                "/t/p/w185/.x.jpg",
                "/t/p/w185/a%20b.jpg", "/t/p/../p/w185/abc.jpg", "/t/p/w185/a.jpg?size=w342", "/t/p/w185/%00.jpg", "/t/p/w185/%ff.jpg",
                "/r/nope/w185/abc.jpg",
                "/r/w185/abc.jpg", "/r/thumb/w185", "/t/p/w185/" + String(repeating: "a", count: 200) + ".jpg", "/t/P/w185/abc.jpg",
                "//t/p/w185/abc.jpg",
            ])
        func refused(target: String) async throws {
            try await House.with({ setup, _ in setup.options.recipes = ["thumb": .standard] }) { house in
                let reply = try await house.get(target)
                #expect([400, 404].contains(reply.status))
                #expect(house.count(of: "images") == 0)
            }
        }

        @Test("A picture that is not there is not asked for again for a while")
        func absent() async throws {
            try await House.with { house in
                for _ in 0..<5 {
                    let reply = try await house.get("/t/p/w185/nosuchposter.jpg")
                    #expect(reply.status == 404)
                }
                #expect(house.count(of: "images") == 1)
            }
        }

        @Test(
            "What is no whole picture is never served nor kept",
            arguments: [
                ("body=html", 502), ("body=html type=image/jpeg", 502), ("truncate=50%", 502), ("body=garbage", 502), ("body=empty", 502),
                ("status=403", 502),
                ("reset", 502), ("redirect=http://169.254.169.254/", 502),
            ])
        func spoilt(fault: String, expected: Int) async throws {
            try await House.with { house in
                try house.standIn.addFaults("images \(fault)")
                let target = "/t/p/w92" + (try house.poster)
                #expect(try await house.get(target).status == expected)
                let objects = try FileManager.default.subpathsOfDirectory(atPath: house.cache + "/objects").filter { $0.contains(".") }
                #expect(objects == [])
            }
        }

        @Test("A thousand callers at once are one download")
        func singleFlight() async throws {
            try await House.with { house in
                try house.standIn.addFaults("images delay=2000")
                let url = house.url + "/t/p/w185" + (try house.poster)
                let codes = try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            let arguments = [
                                "-sS", "-Z", "--parallel-immediate", "--parallel-max", "250", "-o", "/dev/null", "-w", "%{http_code}\n",
                            ]
                            let output = try await Tool.run("curl", arguments + [url + "#[1-250]"])
                            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(codes.count == 1_000 && Set(codes) == ["200"])
                #expect(house.count(of: "images") == 1)
            }
        }

        @Test("Renditions are made by the names that the owner gave, once")
        func renditions() async throws {
            try await House.with({ setup, _ in
                setup.options.recipes = ["thumb": .standard, "card": try Recipe("cover,92x138,radius=6,png")]
            }) { house in
                let poster = try house.poster
                let thumb = try await house.get("/r/thumb/w185" + poster)
                #expect((thumb.status, thumb["Content-Type"]) == (200, "image/webp"))
                #expect(Array(thumb.body.prefix(4)) == Array("RIFF".utf8))
                let card = try await house.get("/r/card/w185" + poster)
                #expect((card.status, card["Content-Type"]) == (200, "image/png"))
                // Width and height stand in the first chunk.
                #expect(card.body[16..<24].elementsEqual([0, 0, 0, 92, 0, 0, 0, 138]))
                #expect(try await house.get("/r/thumb/w185" + poster).body == thumb.body)
                #expect(house.count(of: "images") == 1, "both are made of one original")
                #expect(try await house.get("/t/p/w185" + poster).status == 200)
                #expect(house.count(of: "images") == 1)
                #expect(try await house.get("/r/thumb/w342/nosuchposter.jpg").status == 404)
            }
        }

        @Test("An object that is gone or pruned away is fetched again")
        func gone() async throws {
            try await House.with { house in
                let target = "/t/p/w185" + (try house.poster)
                let first = try await house.get(target)
                try await house.opened { again in
                    try FileManager.default.removeItem(atPath: house.cache + "/objects")
                    try FileManager.default.createDirectory(atPath: house.cache + "/objects", withIntermediateDirectories: false)
                    #expect(try await again.get(target).status >= 200)
                }
                #expect(try await house.get(target).body == first.body)
            }
        }

        @Test("An object that was shortened, written to, taken away or replaced is not served on from its open file")
        func changed() async throws {
            try await House.with { house in
                let target = "/t/p/w185" + (try house.poster)
                let first = try await house.get(target)
                let digest = Digest(of: first.body).hex
                let object = URL(filePath: "\(house.cache)/objects/\(digest.prefix(2))/\(digest).jpg")
                // In place: seen at once.
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: object.path)
                let handle = open(object.path, O_WRONLY)
                #expect(ftruncate(handle, 100) == 0)
                close(handle)
                let again = try await house.get(target)
                #expect((again.status, again.body == first.body) == (200, true))
                #expect(house.count(of: "images") == 2)
                // As verify does it: seen within seconds. What is at the path then is given; its digest is for verify to look at.
                var other = first.body
                other[other.count - 3] ^= 1
                try FileManager.default.moveItem(at: object, to: URL(filePath: house.home + "/damaged"))
                try Data(other).write(to: object)
                try await house.wait { try await house.get(target).body == other }
                try FileManager.default.removeItem(at: object)
                try await house.wait { try await house.get(target).body == first.body }
                #expect(house.count(of: "images") == 3)
            }
        }

        @Test("What is no longer fresh is served, and its host asked in the background")
        func renewal() async throws {
            try await House.with { house in
                let target = "/t/p/w185" + (try house.poster)
                let first = try await house.get(target)
                house.clock.advance(by: 40 * 86_400)
                house.standIn.reset()
                try await house.opened { again in
                    #expect(try await again.get(target).body == first.body)
                    try await again.wait { house.count(of: "images") == 1 }
                }
                #expect(house.standIn.requests.last?.isConditional == true)
            }
        }
    }
}
