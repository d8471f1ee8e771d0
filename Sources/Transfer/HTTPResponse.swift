/// An answer, whatever its status.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Where the answer came from, after redirects.
    package var address: WebAddress
    /// `HTTP/1.1`, `HTTP/2`.
    package var protocolVersion: String

    package init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], address: WebAddress, protocolVersion: String = "HTTP/1.1"
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.address = address
        self.protocolVersion = protocolVersion
    }
}
