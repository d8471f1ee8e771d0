internal import CCurl
internal import Glibc

/// Who may be connected to after a redirect. A name can resolve to anything, so the address itself is looked at: before a socket is opened
/// for it, and again before the request, as a kept connection opens none.
extension Transfer {
    func guardPeer(_ context: UnsafeMutableRawPointer) {
        // For every transfer, as libcurl's own sockets would be inherited by programs that this one starts.
        _ = shim_easy_set_open_socket_function(handle.pointer) { context, _, address in
            guard let context, let address else { return -1 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            // libcurl's structure is longer than its declaration when the address is: it must be read in place.
            let place = UnsafeRawPointer(address) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
            let network = NetworkClass(of: place.assumingMemoryBound(to: sockaddr.self))
            guard transfer.allowsPeer(network) else { return -1 }
            let descriptor = socket(
                address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
            // Other failures concern one kind of address, and libcurl tries the next.
            if descriptor < 0, errno == EMFILE || errno == ENFILE {
                transfer.refuse(.cannotConnect, "cannot connect to \(transfer.plan.address.hostAndPort): too many open files")
            }
            return descriptor
        }
        handle.set(CURLOPT_OPENSOCKETDATA, pointer: context)
        guard plan.redirectedFrom != nil else { return }
        _ = shim_easy_set_before_request_function(handle.pointer) { context, peer, _, _, _ in
            guard let context, let peer else { return Int32(CURL_PREREQFUNC_ABORT) }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let network = NetworkClass(ofHost: String(cString: peer)) ?? .special
            return Int32(transfer.allowsPeer(network) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
        }
        handle.set(CURLOPT_PREREQDATA, pointer: context)
    }

    private func allowsPeer(_ network: NetworkClass) -> Bool {
        guard let origin = plan.redirectedFrom, !network.isReachable(from: origin) else { return true }
        refuse(.notAllowed, "a redirect leads to \(plan.address.hostAndPort), whose address is in a private network")
        return false
    }
}
