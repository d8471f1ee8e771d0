import Core
import Imaging
import Synchronization

/// A picture's bytes to renditions, by the real renderer on a thread of its own: refused with a reason, or rendered in the size asked for.
///
/// libFuzzer calls from the main thread, which waits here: it is not one of the cooperative pool's.
final class ImageTarget: FuzzTarget {
    private static let recipes = [try! Recipe("cover,30x45,radius=3,webp"), try! Recipe("inside,20x20,png")]
    private static let limits = ImageLimits(maximumPixels: 4_000_000, maximumSide: 8_192, maximumFrames: 100)

    private let inputs = AsyncStream.makeStream(of: [UInt8].self)
    private let isStarted = Atomic(false)
    /// Pictures that were seen to and not yet waited for.
    private let done = Monitor(0)

    func run(_ bytes: [UInt8]) {
        if !isStarted.exchange(true, ordering: .relaxed) { start() }
        inputs.continuation.yield(bytes)
        done.wait { (done) -> Monitor<Int>.Step<Void> in
            guard done > 0 else { return .wait }
            done -= 1
            return .done(())
        }
    }

    private func start() {
        let (stream, done) = (inputs.stream, done)
        Task.detached {
            try await Renderer.withRenderer(threads: 1, limits: Self.limits) { renderer in
                for await bytes in stream {
                    await Self.render(bytes, by: renderer)
                    done.change { $0 += 1 }
                }
            }
        }
    }

    private static func render(_ bytes: [UInt8], by renderer: Renderer) async {
        guard let rendering = try? await renderer.render(bytes, recipes: recipes) else { return }
        let header = rendering.header
        precondition(header.widthPixels * header.heightPixels <= limits.maximumPixels, "\(header)")
        precondition(rendering.placeholder.utf8.count <= 300 && rendering.colour.utf8.count == 7)
        for image in rendering.images { precondition(ImageFormat.sniff(image.bytes) == image.format) }
    }
}
