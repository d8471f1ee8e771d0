import FoundationEssentials
import TestSupport
import Testing

@testable import Reports

@Suite("A folder in the making")
struct StagedFolderTests {
    @Test("It takes the place of what was published, whether names can be exchanged or not", arguments: [true, false])
    func replaces(canExchange: Bool) async throws {
        try await withTemporaryDirectory { root in
            let path = try PublishedFolder.resolve(root + "/site", apartFrom: root + "/cache")
            for round in 1...3 {
                let lock = try FolderLock(on: root)
                let published = try PublishedFolder(at: path, calling: path)
                let staged = try StagedFolder(beside: published)
                try staged.write(Array("round \(round)".utf8), to: "a/b/file")
                try staged.write(try JSONEncoder().encode(SiteRecord()).map(\.self), to: SiteRecord.fileName)
                try staged.replace(published, lock: lock, canExchange: canExchange)
                #expect(FileManager.default.contents(atPath: root + "/site/a/b/file") == Data("round \(round)".utf8))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["site"])
        }
    }

    @Test("Dropped before it is published, it leaves nothing behind")
    func dropped() async throws {
        try await withTemporaryDirectory { root in
            do {
                let lock = try FolderLock(on: root)
                let staged = try StagedFolder(beside: PublishedFolder(at: root + "/site", calling: "site"))
                try staged.write([1], to: "file")
                #expect(try FileManager.default.contentsOfDirectory(atPath: root).count == 1)
                withExtendedLifetime((lock, staged)) {}
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [])
        }
    }
}
