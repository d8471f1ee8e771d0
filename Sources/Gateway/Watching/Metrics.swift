internal import Core

/// What the gateway counts, in Prometheus's text form. No label's value comes from a client, so that there is a bounded number of series.
final class Metrics: Sendable {
    /// What a request was for.
    enum Area: String, Sendable, CaseIterable {
        case api, pictures, renditions, site, health, other
    }

    private struct Series: Hashable, Comparable {
        let name: String
        let labels: String

        static func < (left: Series, right: Series) -> Bool { (left.name, left.labels) < (right.name, right.labels) }
    }

    private struct Served: Hashable {
        let area: Area
        let status: Int
    }

    private struct State {
        var served: [Served: Int] = [:]
        var bytes = 0
        var durations: [Int]
        var durationSum = 0.0
        var results: [Served: [CacheResult: Int]] = [:]
        var upstream: [String: Int] = [:]
        var upstreamSum = 0.0
        var refusals: [Refusal: Int] = [:]
    }

    /// Why a client was turned away, or given what is kept.
    enum Refusal: String, Sendable, CaseIterable {
        case token, tokenRate = "token_rate", addressRate = "address_rate", share = "upstream_share"
    }

    /// Upper ends of the durations that are counted together, in seconds.
    private static let steps = [0.000_1, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

    private let startedAt = ContinuousClock.now
    private let state = Mutex(State(durations: Array(repeating: 0, count: steps.count + 1)))

    func served(_ area: Area, status: Int, bytes: Int, seconds: Double) {
        let step = Self.steps.firstIndex { seconds <= $0 } ?? Self.steps.count
        state.withLock { state in
            state.served[Served(area: area, status: status), default: 0] += 1
            state.bytes += bytes
            state.durations[step] += 1
            state.durationSum += seconds
        }
    }

    func cache(_ area: Area, _ result: CacheResult) {
        state.withLock { $0.results[Served(area: area, status: 0), default: [:]][result, default: 0] += 1 }
    }

    func refused(_ refusal: Refusal) {
        state.withLock { $0.refusals[refusal, default: 0] += 1 }
    }

    /// - Parameter status: the API's, or a word for what came instead.
    func upstream(_ status: String, seconds: Double) {
        state.withLock { state in
            state.upstream[status, default: 0] += 1
            state.upstreamSum += seconds
        }
    }

    /// What is counted elsewhere: its name, what it is, and how much.
    typealias Reading = (name: String, help: String, value: Int)

    /// Everything, with `counters` added, which only grow, and `gauges`: what is so now.
    func text(counters: [Reading], gauges: [Reading]) -> String {
        let state = state.withLock { $0 }
        var text = ""
        func declare(_ name: String, _ type: String, _ help: String) {
            text += "# HELP posterity_\(name) \(help)\n# TYPE posterity_\(name) \(type)\n"
        }
        func line(_ name: String, _ labels: String = "", _ value: some CustomStringConvertible) {
            text += "posterity_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
        }
        declare(
            "requests_total", "counter",
            "Requests answered, by what they were for and the status; status 0 for connections that ended first.")
        for (served, count) in state.served.sorted(by: { ($0.key.area.rawValue, $0.key.status) < ($1.key.area.rawValue, $1.key.status) }) {
            line("requests_total", "area=\"\(served.area.rawValue)\",status=\"\(served.status)\"", count)
        }
        declare("cache_results_total", "counter", "Answers by whether they were kept already.")
        for area in Metrics.Area.allCases {
            for (result, count) in (state.results[Served(area: area, status: 0)] ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                line("cache_results_total", "area=\"\(area.rawValue)\",result=\"\(result.rawValue)\"", count)
            }
        }
        declare("refusals_total", "counter", "Clients turned away or given what is kept, by reason.")
        for refusal in Refusal.allCases { line("refusals_total", "reason=\"\(refusal.rawValue)\"", state.refusals[refusal] ?? 0) }
        declare("sent_bytes_total", "counter", "Bytes of bodies sent.")
        line("sent_bytes_total", "", state.bytes)
        declare("request_seconds", "histogram", "Time from a request's arrival to the last byte of its answer.")
        var sum = 0
        for (step, count) in zip(Self.steps.map { "\($0)" } + ["+Inf"], state.durations) {
            sum += count
            line("request_seconds_bucket", "le=\"\(step)\"", sum)
        }
        line("request_seconds_sum", "", state.durationSum)
        line("request_seconds_count", "", sum)
        declare("upstream_requests_total", "counter", "Requests to the API, by its status, `timeout` or `none`.")
        for (status, count) in state.upstream.sorted(by: { $0.key < $1.key }) {
            line("upstream_requests_total", "status=\"\(status)\"", count)
        }
        declare("upstream_seconds_total", "counter", "Time spent waiting for the API, its turns included.")
        line("upstream_seconds_total", "", state.upstreamSum)
        for (type, readings) in [("counter", counters), ("gauge", gauges)] {
            for reading in readings {
                declare(reading.name, type, reading.help)
                line(reading.name, "", reading.value)
            }
        }
        declare("uptime_seconds", "gauge", "Time since the gateway was started.")
        line("uptime_seconds", "", (ContinuousClock.now - startedAt).components.seconds)
        return text
    }
}
