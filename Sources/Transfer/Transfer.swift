internal import CCurl
internal import Glibc

/// One request under way: sets libcurl up for it, and takes in what comes.
///
/// libcurl's callbacks hold an unretained pointer to it; the table keeps it until its handle is out of the multi handle.
final class Transfer {
    let order: TransferLoop.Order
    let handle: EasyHandle
    let configuration: HTTPClient.Configuration
    private var headers = HTTPHeaders()
    private var headerByteCount = 0
    private var hasBlockEnded = false
    private var body: [UInt8] = []
    /// Why a callback of ours made libcurl stop.
    private(set) var refusal: TransferError?

    init(order: TransferLoop.Order, handle: EasyHandle, configuration: HTTPClient.Configuration) {
        self.order = order
        self.handle = handle
        self.configuration = configuration
    }

    var plan: TransferPlan { order.plan }

    func prepare(share: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        handle.set(CURLOPT_URL, plan.address.text)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Redirects are followed by HTTPClient, which checks each hop.
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Rather wait for a connection that carries many than open another.
        handle.set(CURLOPT_PIPEWAIT, 1)
        handle.set(CURLOPT_HTTP09_ALLOWED, 0)
        handle.set(CURLOPT_NOSIGNAL, 1)
        // A name server that does not answer must not hold up the loop when its transfer is cancelled.
        handle.set(CURLOPT_QUICK_EXIT, 1)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        handle.set(CURLOPT_BUFFERSIZE, 64 * 1_024)
        handle.set(CURLOPT_SHARE, pointer: share)
        handle.set(CURLOPT_USERAGENT, configuration.userAgent)
        if let file = configuration.certificateAuthorityFile { handle.set(CURLOPT_CAINFO, file) }
        if plan.acceptsCompression { handle.set(CURLOPT_ACCEPT_ENCODING, "gzip, br") }
        setLimits()
        handle.setHeaders(headerLines)
        _ = shim_easy_set_header_function(handle.pointer) { bytes, _, count, context in
            guard let bytes, let context else { return 0 }
            return Transfer.at(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        handle.set(CURLOPT_HEADERDATA, pointer: context)
        _ = shim_easy_set_write_function(handle.pointer) { bytes, _, count, context in
            guard let bytes, let context else { return 0 }
            return Transfer.at(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        handle.set(CURLOPT_WRITEDATA, pointer: context)
        guardPeer(context)
    }

    func refuse(_ code: TransferError.Code, _ detail: String) {
        if refusal == nil { refusal = TransferError(code, address: plan.address.description, detail: detail) }
    }

    /// What the transfer ended with.
    func outcome(of result: CURLcode) -> TransferLoop.Outcome {
        guard result == CURLE_OK, refusal == nil else { return .failure(error(for: result)) }
        let version =
            switch handle.number(CURLINFO_HTTP_VERSION) {
            case Int(CURL_HTTP_VERSION_1_0): "HTTP/1.0"
            case Int(CURL_HTTP_VERSION_1_1): "HTTP/1.1"
            case Int(CURL_HTTP_VERSION_2_0): "HTTP/2"
            default: "HTTP/3"
            }
        let response = HTTPResponse(
            status: handle.number(CURLINFO_RESPONSE_CODE), headers: headers, body: body, address: plan.address, protocolVersion: version)
        return .success(TransferHop(response: response, peerAddress: handle.text(CURLINFO_PRIMARY_IP)))
    }

    // MARK: - Private

    private static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private var headerLines: [String] {
        var lines = plan.headers.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
        if let bearer = plan.bearer { lines.append("Authorization: Bearer \(bearer.text)") }
        return lines
    }

    private func setLimits() {
        handle.set(CURLOPT_TIMEOUT_MS, max(1, plan.timeLeft.milliseconds))
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, configuration.connectTimeout.milliseconds))
        handle.set(CURLOPT_LOW_SPEED_LIMIT, configuration.lowSpeed.bytesPerSecond)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, configuration.lowSpeed.for.milliseconds / 1_000))
        handle.set(CURLOPT_MAXFILESIZE_LARGE, offset: plan.maximumBytes)
    }

    /// Takes one line of a header, or the empty line at its end; false ends the transfer.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerByteCount += bytes.count
        guard headerByteCount <= configuration.maximumHeaderBytes else {
            refuse(.badResponse, "\(plan.address.hostAndPort) sent more than \(configuration.maximumHeaderBytes) bytes of header fields")
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // Also after an interim answer (1xx), whose fields are not the answer's.
            headers.removeAll()
            hasBlockEnded = false
        } else if !hasBlockEnded {
            guard let colon = line.firstIndex(of: ":") else {
                hasBlockEnded = line.allSatisfy(\.isWhitespace)
                return true
            }
            let value = line[line.index(after: colon)...]
            headers.append(name: String(line[..<colon]), value: value.trimmingSpaces)
        }
        return true
    }

    /// Takes some of the body; false ends the transfer.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= plan.maximumBytes else {
            refuse(.tooManyBytes, tooManyBytes)
            return false
        }
        if body.isEmpty {
            let announced = handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            body.reserveCapacity(min(max(announced, bytes.count), plan.maximumBytes))
        }
        body.append(contentsOf: bytes)
        return true
    }
}

extension Substring {
    var trimmingSpaces: String {
        let isSpace: (UInt8) -> Bool = { $0 == 32 || $0 == 9 || $0 == 13 || $0 == 10 }
        let start = utf8.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(start[...last]))
    }
}
