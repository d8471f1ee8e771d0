import Imaging
import Testing

@Suite("Many pictures at once")
struct StressTests {
    @Test("Eight threads with mixed formats, sizes and broken files give each picture the same answer every time")
    func mixed() async throws {
        var originals: [[UInt8]] = []
        for suffix in [".jpg[Q=85]", ".png", ".webp", ".gif", ".avif[effort=1]"] {
            originals.append(try await Pictures.make(92, 138, suffix))
        }
        let whole = originals
        originals += whole.map { Array($0[..<($0.count / 2)]) }
        originals.append(Array(whole[0][..<(whole[0].count / 2)]) + [0xFF, 0xD9])
        originals.append(Array(whole[0][..<20]) + [0] + Array(whole[0][20...]))
        let recipes = try ["92x138,radius=10%", "50x75,radius=5,png", "inside,40x40,jpeg", "contain,64x64,radius=8"].map { try Recipe($0) }

        let (known, rounds) = (originals, 20)
        try await Renderer.withRenderer(threads: 8) { renderer in
            @Sendable func answer(_ index: Int) async -> Result<Rendering, ImagingError> {
                do throws(ImagingError) {
                    return .success(try await renderer.render(known[index], recipes: recipes))
                } catch {
                    return .failure(error)
                }
            }
            var expected: [Result<Rendering, ImagingError>] = []
            for index in known.indices { expected.append(await answer(index)) }
            let succeeded = expected.map { if case .success = $0 { true } else { false } }
            #expect(succeeded == Array(repeating: true, count: 5) + Array(repeating: false, count: 6) + [true])

            let differing = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<rounds * known.count {
                    let index = number % known.count
                    let wanted = expected[index]
                    group.addTask { await answer(index) == wanted ? nil : index }
                }
                return await group.reduce(into: [Int]()) { if let index = $1 { $0.append(index) } }
            }
            #expect(differing == [])
        }
    }
}
