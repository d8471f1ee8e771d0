internal import Serving

extension Site {
    /// What tests and people ask the stand-in itself. These requests are neither logged nor spoilt.
    func control(_ request: ServerRequest) -> Reply {
        switch (request.method, request.path) {
        case ("GET", "/control/faults"): return faultList
        case ("POST", "/control/faults"):
            do {
                faults.add(try FaultRule.rules(in: String(decoding: request.body, as: UTF8.self)))
            } catch {
                return Reply(status: 400, json: .object([("error", .string(error.description))]))
            }
            return faultList
        case ("DELETE", "/control/faults"):
            faults.removeAll()
            return faultList
        case ("GET", "/control/requests"): return Reply(json: log.json)
        case ("POST", "/control/reset"):
            reset()
            return Reply(json: .object([]))
        case ("POST", "/control/week"):
            guard let number = Int(String(decoding: request.body, as: UTF8.self).filter { !$0.isWhitespace }) else {
                return Reply(status: 400, json: .object([("error", .string("the body must be the number of a week"))]))
            }
            week = number
            return Reply(json: .object([("week", .int(number))]))
        default: return Reply(status: 404, json: .object([("error", .string("see docs/standin.md for the control requests"))]))
        }
    }

    private var faultList: Reply {
        Reply(
            json: .object([
                ("faults", .array(faults.report.map { .object([("rule", .string($0.rule)), ("hits", .int($0.hits))]) }))
            ]))
    }
}
