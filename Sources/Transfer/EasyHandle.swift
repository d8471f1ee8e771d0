internal import CCurl
internal import Core

/// Owns one of libcurl's easy handles with the error text that it writes and the header list that it reads. Used again after ``reset()``.
///
/// A class, as the table holds it under way and at rest; touched by the loop's thread alone.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?

    init() {
        guard let pointer = curl_easy_init() else { ProcessEnd.failure("libcurl has no memory for a transfer") }
        self.pointer = pointer
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reset()
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerList)
        errorBuffer.deallocate()
    }

    /// Forgets all options; connections and TLS sessions stay, as they belong to the multi handle and the share.
    func reset() {
        curl_easy_reset(pointer)
        curl_slist_free_all(headerList)
        headerList = nil
        errorBuffer[0] = 0
        set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
    }

    func set(_ option: CURLoption, _ value: Int) { _ = shim_easy_set_long(pointer, option, value) }
    func set(_ option: CURLoption, offset: Int) { _ = shim_easy_set_offset(pointer, option, curl_off_t(offset)) }
    func set(_ option: CURLoption, _ value: String) { _ = shim_easy_set_string(pointer, option, value) }
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) { _ = shim_easy_set_pointer(pointer, option, value) }

    func setHeaders(_ lines: [String]) {
        for line in lines { headerList = curl_slist_append(headerList, line) }
        _ = shim_easy_set_header_list(pointer, headerList)
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = shim_easy_get_long(pointer, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = shim_easy_get_offset(pointer, info, &value)
        return Int(value)
    }

    func text(_ info: CURLINFO) -> String {
        var value: UnsafePointer<CChar>?
        _ = shim_easy_get_string(pointer, info, &value)
        return value.map { String(cString: $0) } ?? ""
    }

    /// What libcurl said of the last failure, or an empty text.
    var errorText: String { String(cString: errorBuffer) }
}
