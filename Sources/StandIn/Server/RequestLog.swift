internal import Core
internal import Serving

/// What was asked and answered: the last requests, and counts of all.
final class RequestLog: Sendable {
    private struct State {
        var records: [RequestRecord] = []
        var next = 1
        var counts: [String: Int] = [:]
        var bytes = 0
    }

    /// Older records are dropped, so that a stand-in left alone does not grow.
    private static let limit = 20_000
    private let state = Mutex(State())

    func add(_ request: ServerRequest, area: RequestArea, status: Int, bytes: Int, fault: String?) {
        let record = RequestRecord(
            number: 0, area: area.rawValue, method: request.method, target: Self.withoutKey(request.target), status: status, bytes: bytes,
            hasAuthorization: request.header("Authorization") != nil,
            isConditional: request.header("If-None-Match") != nil || request.header("If-Modified-Since") != nil, fault: fault)
        state.withLock { state in
            state.records.append(record.numbered(state.next))
            state.next += 1
            if state.records.count > Self.limit * 5 / 4 { state.records.removeFirst(state.records.count - Self.limit) }
            state.bytes += bytes
            state.counts[area.rawValue, default: 0] += 1
            state.counts["\(area.rawValue) \(status)", default: 0] += 1
            if fault != nil { state.counts["faults", default: 0] += 1 }
        }
    }

    func reset() {
        state.withLock { $0 = State() }
    }

    var records: [RequestRecord] { state.withLock { $0.records } }

    /// By area, by area and status (`images 304`), and `faults`.
    var counts: [String: Int] { state.withLock { $0.counts } }

    var json: JSONValue {
        let (records, counts, bytes) = state.withLock { ($0.records, $0.counts, $0.bytes) }
        return .object([
            ("counts", .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .int($0.value)) })), ("bytes", .int(bytes)),
            ("requests", .array(records.map(\.json))),
        ])
    }

    private static func withoutKey(_ target: String) -> String {
        guard let range = target.firstRange(of: "api_key=") else { return target }
        let rest = target[range.upperBound...].drop { $0 != "&" }
        return target[..<range.upperBound] + "•••" + rest
    }
}

extension RequestRecord {
    fileprivate func numbered(_ number: Int) -> RequestRecord {
        RequestRecord(
            number: number, area: area, method: method, target: target, status: status, bytes: bytes, hasAuthorization: hasAuthorization,
            isConditional: isConditional, fault: fault)
    }

    fileprivate var json: JSONValue {
        .object([
            ("number", .int(number)), ("area", .string(area)), ("method", .string(method)), ("target", .string(target)),
            ("status", .int(status)),
            ("bytes", .int(bytes)), ("authorization", .bool(hasAuthorization)), ("conditional", .bool(isConditional)),
            ("fault", fault.map(JSONValue.string) ?? .null),
        ])
    }
}
