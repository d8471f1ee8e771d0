/// How fast things get done, measured over the last seconds.
struct ProgressRate {
    private static let window = Duration.seconds(10)
    /// Below this there is too little to measure.
    private static let least = 0.5

    /// When how many were done, oldest first.
    private var samples: [(at: ContinuousClock.Instant, done: Int)]

    init(start: ContinuousClock.Instant, done: Int = 0) {
        samples = [(start, done)]
    }

    /// Done per second; nil as long as there is too little to measure.
    mutating func perSecond(done: Int, at now: ContinuousClock.Instant) -> Double? {
        samples.append((now, done))
        while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
        let seconds = (now - samples[0].at) / .seconds(1)
        return seconds >= Self.least ? Double(done - samples[0].done) / seconds : nil
    }
}

/// When a plain line is due, off a terminal: after each tenth of the whole, but neither often nor rarely.
struct PlainPace {
    private static let pause = (least: Duration.seconds(3), most: Duration.seconds(15))

    private var last: ContinuousClock.Instant
    private var lastTenth = 0

    init(start: ContinuousClock.Instant) {
        last = start
    }

    mutating func isDue(done: Int, total: Int?, at now: ContinuousClock.Instant) -> Bool {
        let tenth = total.map { $0 > 0 ? done * 10 / $0 : 0 } ?? 0
        let passed = now - last
        guard passed >= Self.pause.most || (passed >= Self.pause.least && tenth > lastTenth) else { return false }
        last = now
        lastTenth = tenth
        return true
    }
}
