internal import Glibc

/// The system's words on an error number, as they stand within a sentence: `no space left on device`.
package func systemText(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
}
