internal import Core
internal import Glibc

/// A socket that listens, made before the workers are so that what is wrong with an address can be said exactly.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    /// With the port that the system chose when 0 was asked for.
    let address: ListenAddress
    /// Of the socket's file, to remove no other one in the end.
    private let file: (device: UInt, inode: UInt)?

    init(_ address: ListenAddress) throws(HTTPServerError) {
        try address.check()
        switch address {
        case .tcp(let host, let port):
            descriptor = try Self.open(host: host, port: UInt16(port), at: address)
            self.address = .tcp(host: host, port: Self.port(of: descriptor))
            file = nil
        case .unix(let path):
            descriptor = try Self.open(path: path, at: address)
            self.address = address
            file = Self.identity(of: path)
        }
    }

    deinit {
        if case .unix(let path) = address, let file, let present = Self.identity(of: path), present == file { unlink(path) }
        close(descriptor)
    }

    // MARK: - TCP

    private static func open(host: String, port: UInt16, at place: ListenAddress) throws(HTTPServerError) -> Int32 {
        var address4 = sockaddr_in()
        address4.sin_family = sa_family_t(AF_INET)
        address4.sin_port = port.bigEndian
        if inet_pton(AF_INET, host, &address4.sin_addr) == 1 { return try listen(AF_INET, &address4, at: place) }
        var address6 = sockaddr_in6()
        address6.sin6_family = sa_family_t(AF_INET6)
        address6.sin6_port = port.bigEndian
        inet_pton(AF_INET6, host, &address6.sin6_addr)
        return try listen(AF_INET6, &address6, at: place)
    }

    private static func port(of descriptor: Int32) -> Int {
        // The port stands at the same place in both kinds of address.
        var bound = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutableBytes(of: &bound) { _ = getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &size) }
        return Int(UInt16(bigEndian: bound.sin6_port))
    }

    // MARK: - Socket files

    private static func open(path: String, at place: ListenAddress) throws(HTTPServerError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try makeWay(for: path, address, at: place)
        return try listen(AF_UNIX, &address, at: place)
    }

    /// Removes the socket that a dead process has left; a live one's, and everything else, stays and is refused.
    private static func makeWay(for path: String, _ address: sockaddr_un, at place: ListenAddress) throws(HTTPServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw HTTPServerError(
                code: .fileInTheWay,
                description: "cannot listen on \(place): there is a file that is not a socket; move it away, or choose another path")
        }
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure(at: place) }
        defer { close(descriptor) }
        let connected = withUnsafeBytes(of: address) {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        // Also when the other's queue is full (EAGAIN) somebody is there.
        guard connected != 0, errno == ECONNREFUSED else { throw taken(place) }
        guard unlink(path) == 0 else { throw failure(at: place) }
    }

    private static func identity(of path: String) -> (device: UInt, inode: UInt)? {
        var status = stat()
        return lstat(path, &status) == 0 ? (UInt(status.st_dev), UInt(status.st_ino)) : nil
    }

    // MARK: - Both

    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    private static func listen<Address>(_ family: Int32, _ address: inout Address, at place: ListenAddress) throws(HTTPServerError) -> Int32
    {
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw failure(at: place) }
        // A server that was just stopped must be able to start again on its port; and [::] is not to take 0.0.0.0 too, which is said by itself.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size)) }
        let bound = withUnsafeBytes(of: &address) {
            bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        guard bound == 0, Glibc.listen(descriptor, 4_096) == 0 else {
            let failure = failure(at: place)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func taken(_ place: ListenAddress) -> HTTPServerError {
        HTTPServerError(
            code: .portInUse,
            description: place.port == nil
                ? "cannot listen on \(place): another program does; choose another path"
                : "cannot listen on \(place): another program does; choose another port, or 0 for any that is free")
    }

    private static func failure(at place: ListenAddress) -> HTTPServerError {
        let number = errno
        if number == EADDRINUSE { return taken(place) }
        return HTTPServerError(code: .system, description: "cannot listen on \(place): \(systemText(number))")
    }
}
