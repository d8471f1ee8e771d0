internal import Glibc

/// What the system says about a failed call, as it reads within a sentence.
enum SystemError {
    static func text(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }
}
