// In a build of whole modules the constants of sockets come with CLinux, which another file of this module imports first.
internal import CLinux
internal import Glibc

/// A real TLS and HTTP/2 peer: nghttpx (Debian's nghttp2-proxy) before a server of the test's, with a certificate of the test's making.
package struct TLSProxy: Sendable {
    package enum Certificate: String, Sendable, CaseIterable {
        case valid, expired, wrongName, selfSigned
    }

    /// What a test needs to have installed; skip it with this as the reason when ``isAvailable`` is false.
    package static let requirement: String = "needs nghttpx and openssl (apt-get install nghttp2-proxy openssl)"
    package static var isAvailable: Bool { Tool.isInstalled("nghttpx", "openssl") }

    package let port: Int
    /// The certificate of the authority to trust, a PEM file.
    package let authorityFile: String

    package var url: String { "https://localhost:\(port)" }

    /// Runs `body` with a proxy before the loopback port `backend`.
    ///
    /// - Parameter protocols: what is offered by ALPN, such as `h2,http/1.1`.
    package static func withProxy<Value>(
        backend: Int, certificate: Certificate = .valid, protocols: String = "h2,http/1.1", _ body: (TLSProxy) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { directory in
            try await makeCertificate(certificate, in: directory)
            let port = try freePort()
            let arguments = [
                "--conf=/dev/null", "--no-ocsp", "--single-process", "--log-level=FATAL", "--npn-list=\(protocols)",
                "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(backend)", "\(directory)/server.key", "\(directory)/server.pem",
            ]
            return try await Tool.withProcess("nghttpx", arguments) { _ in
                try await waitUntilListening(port)
                return try await body(TLSProxy(port: port, authorityFile: "\(directory)/authority.pem"))
            }
        }
    }

    // MARK: - Private

    private static func makeCertificate(_ kind: Certificate, in directory: String) async throws {
        func file(_ name: String) -> String { "\(directory)/\(name)" }
        func makeKey(_ name: String) async throws {
            try await Tool.run("openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file(name)])
        }
        let name = kind == .wrongName ? "DNS:elsewhere.example.org" : "DNS:localhost,IP:127.0.0.1"
        let request = ["req", "-new", "-key", file("server.key"), "-subj", "/CN=test", "-addext", "subjectAltName=\(name)"]
        try await makeKey("authority.key")
        try await makeKey("server.key")
        try await Tool.run(
            "openssl",
            [
                "req", "-new", "-x509", "-days", "2", "-subj", "/CN=test authority", "-key", file("authority.key"), "-out",
                file("authority.pem"),
            ])
        if kind == .selfSigned {
            try await Tool.run("openssl", request + ["-x509", "-days", "2", "-out", file("server.pem")])
            return
        }
        try await Tool.run("openssl", request + ["-out", file("server.csr")])
        let dates = ["-days", kind == .expired ? "-1" : "2"]
        try await Tool.run(
            "openssl",
            ["x509", "-req", "-in", file("server.csr")] + dates
                + ["-CA", file("authority.pem"), "-CAkey", file("authority.key"), "-copy_extensions", "copy", "-out", file("server.pem")])
    }

    /// A port that was free a moment ago: nghttpx cannot tell which one it was given.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw TestSupportError("no free port: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func waitUntilListening(_ port: Int) async throws {
        for _ in 0..<5_000 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            var address = loopback(port: port)
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw TestSupportError("nghttpx does not listen on port \(port)")
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
