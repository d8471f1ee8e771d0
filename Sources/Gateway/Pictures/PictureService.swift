internal import Core
internal import FoundationEssentials
internal import Imaging
internal import Mirroring
internal import Serving
internal import Storage
internal import Transfer

/// The mirror's pictures: open files for those that are asked often, else from the cache, else from the image host.
final class PictureService: Sendable {
    /// A picture for a client, and how it came about.
    struct Served: Sendable {
        let picture: HotPicture
        let result: CacheResult
    }

    private enum Limit {
        /// Pictures that are being fetched or made, or wait for that: screens full of posters, for some clients at once.
        static let flights = 512
        /// Pictures that are being looked up in the cache, which takes no longer than the disk does.
        static let lookups = 4_096
        static let troubles = 20_000
        /// How long it is remembered that there is no such picture …
        static let absence = Duration.seconds(300)
        /// … and that one could not be had.
        static let trouble = Duration.seconds(10)
        /// For all of it, the waiting included.
        static let whole = Duration.seconds(30)
    }

    private let sizes: Set<PosterSize>
    private let recipes: [String: Recipe]
    private let supply: PictureSupply
    private let cache: Cache
    private let clock: WallClock
    private let log: Log
    private let alarm: Alarm
    private let flights = Flights<PictureAddress, Result<Served, Problem>>(limit: Limit.flights)
    /// Apart from the flights: however many wait for the image host, what is kept is given.
    private let lookups = Flights<PictureAddress, Result<Served?, Problem>>(limit: Limit.lookups)
    private let renewals = Flights<PictureAddress, Void>(limit: Limit.flights)
    /// By target as it was sent.
    private let hot: Mutex<Generations<String, HotPicture>>
    private let troubles = Troubles<PictureAddress, Problem>(bound: Limit.troubles)

    init(_ options: GatewayOptions, _ services: GatewayServices) {
        sizes = Set(options.sizes)
        recipes = options.recipes
        supply = PictureSupply(images: services.images, services: services.mirror)
        cache = services.cache
        clock = services.clock
        log = services.log
        alarm = Alarm(log: services.log)
        hot = Mutex(Generations(bound: options.openPictures))
    }

    func run() async {
        async let renewing: Void = renewals.run()
        async let lookingUp: Void = lookups.run()
        await flights.run()
        await lookingUp
        await renewing
    }

    func close() {
        flights.close()
        lookups.close()
        renewals.close()
    }

    /// Pictures whose files are open.
    var held: Int { hot.withLock { $0.count } }

    /// The picture that a target asked for before; nil when there is more to it than its path.
    func atOnce(_ target: String) -> HotPicture? {
        guard let picture = hot.withLock({ $0[target] }) else { return nil }
        if picture.isGood() { return picture }
        _ = hot.withLock { hot in hot[target] === picture ? hot.remove(target) : nil }
        return nil
    }

    /// Which picture a target asks for.
    func address(in target: RequestTarget) throws(Problem) -> PictureAddress {
        let words = target.segments
        guard !target.isFolder, target.items.allSatisfy({ Credentials.isName($0.name) }) else { throw .notFound }
        if words.prefix(2) == ["t", "p"] { return try PictureAddress(words.dropFirst(2), sizes: sizes) }
        guard words.count > 1, words[0] == "r", let recipe = recipes[words[1]] else { throw .notFound }
        return try PictureAddress(words.dropFirst(2), sizes: sizes, recipe: recipe)
    }

    /// The picture at `address`, wherever it must come from.
    ///
    /// - Parameter target: the address's path, by which it is found ``atOnce(_:)`` from now on.
    func picture(_ address: PictureAddress, target: String) async throws(Problem) -> Served {
        if let problem = troubles[address] { throw problem }
        guard let looked = await lookups.value(for: address, { await self.kept(address) }) else { throw .unavailable }
        if let served = try looked.get() { return remember(served, as: target) }
        guard let landed = await flights.value(for: address, { await self.found(address) }) else { throw .unavailable }
        return remember(try landed.get(), as: target)
    }

    // MARK: - Private

    private func remember(_ served: Served, as target: String) -> Served {
        hot.withLock { $0.set(target, served.picture) }
        return served
    }

    /// - Returns: nil when it must be fetched or made.
    private func kept(_ address: PictureAddress) async -> Result<Served?, Problem> {
        await result {
            guard let source = try await self.supply.keptPicture(address.path, size: address.size, recipes: address.recipes),
                let picture = address.picture(of: source)
            else { return nil }
            if source.freshUntil <= self.clock.now() { self.renew(address) }
            return self.opened(picture, .hit)
        }
    }

    private func found(_ address: PictureAddress) async -> Result<Served, Problem> {
        await result {
            // Once more when an object has gone between the index's word and the opening of its file.
            for _ in 0..<2 {
                let served = try await Deadline(in: Limit.whole).run { try await self.obtained(address) }
                guard let served else { throw self.remember(UpstreamTrouble.tooSlow.problem, of: address, for: Limit.trouble) }
                if let served { return served }
            }
            throw Problem.unavailable
        }
    }

    /// What `body` comes to, in words for a client.
    private func result<Value>(_ body: @Sendable () async throws -> Value) async -> Result<Value, Problem> {
        do {
            return .success(try await body())
        } catch let problem as Problem {
            return .failure(problem)
        } catch is TransferError {
            return .failure(.notFound)
        } catch {
            if !(error is CancellationError) { alarm.sound(error) }
            return .failure(.unavailable)
        }
    }

    /// - Returns: nil when the object was removed just now.
    private func obtained(_ address: PictureAddress) async throws -> Served? {
        let (outcome, source) = try await supply.picture(address.path, size: address.size, recipes: address.recipes)
        guard let picture = source.flatMap(address.picture(of:)) else { throw problem(of: outcome.failure, at: address) }
        // What is new is under its name, and there for good, only then.
        if outcome != .fresh || address.recipe != nil { try await cache.flush() }
        return opened(picture, outcome == .fresh ? .hit : .miss)
    }

    /// - Returns: nil when the object was removed just now.
    private func opened(_ picture: StoredPicture, _ result: CacheResult) -> Served? {
        do {
            return Served(picture: try HotPicture(picture, in: cache), result: result)
        } catch {
            log.debug("\(error)")
            return nil
        }
    }

    /// Asks the host, in the background, whether a picture is still what it was.
    private func renew(_ address: PictureAddress) {
        renewals.begin(PictureAddress(originalOf: address)) { [supply, alarm] in
            do {
                _ = try await supply.picture(address.path, size: address.size, renewing: true)
            } catch {
                if !(error is CancellationError) { alarm.sound(error) }
            }
        }
    }

    // MARK: - Pictures that cannot be had

    private func problem(of missing: Manifest.Missing?, at address: PictureAddress) -> Problem {
        let reason = missing?.reason
        switch reason {
        case .status(404), .status(410), .badPath:
            return remember(.notFound, of: address, for: Limit.absence)
        case .timedOut, .tooSlow:
            log.warning("\(address.size)\(address.path): \(missing?.detail ?? "")")
            return remember(UpstreamTrouble.tooSlow.problem, of: address, for: Limit.trouble)
        case .hostUnavailable, .status(429), .status(503):
            return remember(
                Problem(503, UpstreamTrouble.failed.problem.message, retryAfter: 15), of: address, for: Limit.trouble)
        default:
            log.warning("\(address.size)\(address.path): \(missing?.detail ?? "nothing was made of it")")
            return remember(UpstreamTrouble.brokenAnswer.problem, of: address, for: Limit.trouble)
        }
    }

    private func remember(_ problem: Problem, of address: PictureAddress, for time: Duration) -> Problem {
        troubles.remember(problem, of: address, for: time)
        return problem
    }
}
