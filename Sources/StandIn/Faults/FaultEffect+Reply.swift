internal import Core
internal import FoundationEssentials
internal import Serving

extension FaultEffect {
    /// `reply`, spoilt in what it says; how it is sent comes after.
    func spoil(_ reply: Reply, to request: ServerRequest) -> Reply {
        var reply = reply
        if let json, let value = reply.json { reply.body = SharedBytes(json.spoil(value)) }
        if let status { reply = Self.failure(status, area: RequestArea(path: request.path)) }
        if let redirect {
            reply = Reply(status: status ?? 302)
            reply.set("Location", redirect == "loop" ? request.target : redirect)
        }
        if isNotModified {
            reply.status = 304
            reply.body = .empty
        }
        if let file { Self.replaceBody(of: &reply, withFile: file) }
        if let body { Self.replaceBody(of: &reply, with: body) }
        if isPartial {
            let half = reply.body.count / 2
            reply.status = 206
            reply.set("Content-Range", "bytes 0-\(max(0, half - 1))/\(reply.body.count)")
            reply.body = SharedBytes(Array(reply.body.bytes.prefix(half)))
        }
        if isGzipped {
            reply.set("Content-Encoding", "gzip")
            reply.body = SharedBytes(Gzip.stored(reply.body.bytes))
        }
        if let contentType { reply.set("Content-Type", contentType == "none" ? nil : contentType) }
        if let retryAfter { reply.set("Retry-After", Self.retryAfter(retryAfter)) }
        for header in headers { reply.set(header.name, header.value) }
        return reply
    }

    // MARK: - Private

    private static let html = """
        <!doctype html><html lang="en"><title>Just a moment</title><body><h1>Please sign in to this network</h1>\
        <p>Your session has ended. <a href="/login">Sign in</a> to go on.</p></body></html>

        """

    private static func failure(_ status: Int, area: RequestArea) -> Reply {
        switch area {
        case .api: return .problem(status, code: 11, "A fault was asked for: status \(status).")
        case .images, .control:
            return Reply(
                status: status, headers: [("Content-Type", "text/html")], body: SharedBytes(Array("<html><h1>\(status)</h1></html>\n".utf8))
            )
        }
    }

    private static func replaceBody(of reply: inout Reply, with body: Body) {
        switch body {
        case .html:
            reply.body = SharedBytes(Array(html.utf8))
            reply.set("Content-Type", "text/html; charset=utf-8")
        case .json:
            reply.body = SharedBytes(Array("{\"status_code\":11,\"status_message\":\"Internal error.\",\"success\":false}".utf8))
            reply.set("Content-Type", "application/json")
        case .empty: reply.body = .empty
        case .garbage:
            var random = StableRandom(31)
            reply.body = SharedBytes((0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
        reply.set("ETag", nil)
        reply.set("Last-Modified", nil)
    }

    private static func replaceBody(of reply: inout Reply, withFile path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            reply = failure(500, area: .images)
            reply.body = SharedBytes(Array("the stand-in cannot read \(path.printable)\n".utf8))
            return
        }
        reply.status = 200
        reply.body = SharedBytes(Array(data))
        reply.set("Content-Type", "image/jpeg")
        reply.set("ETag", "\"\(Digest(of: reply.body.bytes).hex.prefix(16))\"")
    }

    /// `date` and `date+N` become a date so many seconds ahead; the rest is sent as it is.
    private static func retryAfter(_ text: String) -> String {
        guard text.hasPrefix("date") else { return FaultWord.decoded(text) }
        let seconds = Double(text.dropFirst(4).drop { $0 == "+" }) ?? 2
        return HTTPDate.text(Date().addingTimeInterval(seconds))
    }
}
