internal import CCurl
internal import Core
internal import Glibc

/// libcurl's result codes in a person's words.
extension Transfer {
    func error(for result: CURLcode) -> TransferError {
        if let refusal { return refusal }
        let host = plan.address.hostAndPort
        let said = handle.errorText.isEmpty ? String(cString: curl_easy_strerror(result)) : handle.errorText
        func error(_ code: TransferError.Code, _ detail: String) -> TransferError {
            TransferError(code, address: plan.address.description, detail: detail)
        }
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            return error(.nameNotFound, "cannot find the host \(plan.address.host): its name does not resolve")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return error(.nameNotFound, "cannot find the proxy for \(host): \(said)")
        case CURLE_COULDNT_CONNECT:
            return error(.cannotConnect, "cannot connect to \(host): \(systemError ?? said)")
        case CURLE_OPERATION_TIMEDOUT:
            return timeout
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            if result == CURLE_SSL_CONNECT_ERROR, [ECONNRESET, EPIPE].contains(Int32(handle.number(CURLINFO_OS_ERRNO))) {
                return error(.connectionLost, "\(host) broke off while the secure connection was being set up")
            }
            return error(.tlsFailed, "no secure connection to \(host): \(said)")
        case CURLE_FILESIZE_EXCEEDED:
            return error(.tooManyBytes, tooManyBytes)
        case CURLE_PARTIAL_FILE:
            return error(.truncated, "\(host) ended the answer before its announced end: \(said)")
        case CURLE_HTTP2_STREAM:
            // Of one stream, not of the connection. libcurl may see its end before it has handed out its beginning.
            return error(.truncated, "\(host) broke the answer off: \(said)")
        case CURLE_GOT_NOTHING:
            return error(.connectionLost, "\(host) closed the connection without an answer")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2:
            return error(.connectionLost, "the connection to \(host) was lost: \(said)")
        default:
            return error(.badResponse, "\(host) did not answer in HTTP: \(said)")
        }
    }

    var tooManyBytes: String {
        "\(plan.address) has more than \(ByteCount(plan.maximumBytes)), the most that is taken"
    }

    // MARK: - Private

    /// libcurl has one code for three timeouts; what had happened by then tells which.
    private var timeout: TransferError {
        let host = plan.address.hostAndPort
        if plan.timeLeft <= .milliseconds(1) { return plan.timedOut }
        if handle.offset(CURLINFO_PRETRANSFER_TIME_T) == 0 {
            return TransferError(
                .timedOut, address: plan.address.description,
                detail: "cannot connect to \(host): no answer within \(configuration.connectTimeout.inWords)")
        }
        let (speed, time) = configuration.lowSpeed
        // libcurl counts from when it last looked at its clock, on a busy machine well before now, and is early by as much. Too slow is
        // only what had the time to be.
        if handle.offset(CURLINFO_TOTAL_TIME_T) < time.milliseconds * 1_000 { return plan.timedOut }
        return TransferError(
            .tooSlow, address: plan.address.description, detail: "\(host) sent less than \(ByteCount(speed)) per second for \(time.inWords)"
        )
    }

    /// The operating system's word on a failed connection: `connection refused`.
    private var systemError: String? {
        let number = Int32(handle.number(CURLINFO_OS_ERRNO))
        guard number != 0 else { return nil }
        return systemText(number)
    }
}
