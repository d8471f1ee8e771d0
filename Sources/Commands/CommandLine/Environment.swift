internal import CLinux
internal import Core
internal import Glibc

/// The process's environment, captured once; nothing else reads it.
package struct Environment: Sendable {
    package let variables: [String: String]

    package init(_ variables: [String: String] = [:]) {
        self.variables = variables
    }

    /// The environment of this process.
    package static func captured() -> Environment {
        var variables: [String: String] = [:]
        var entry = posterity_environment()
        while let current = entry?.pointee {
            let text = String(cString: current)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry = entry?.successor()
        }
        return Environment(variables)
    }

    package subscript(name: String) -> String? { variables[name] }

    /// The variable's text, unless it is unset or empty.
    package func text(_ name: String) -> String? {
        guard let text = variables[name], !text.isEmpty else { return nil }
        return text
    }

    /// Where the cache is when nobody says: `$XDG_CACHE_HOME/posterity`, else `~/.cache/posterity`.
    ///
    /// A relative `XDG_CACHE_HOME` is ignored, as the XDG specification asks.
    package func defaultCacheDirectory() throws(UsageError) -> String {
        if let base = text("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/posterity" }
        if let home = text("HOME") { return home + "/.cache/posterity" }
        throw UsageError("neither HOME nor XDG_CACHE_HOME is set; say where the cache is with --cache DIR")
    }
}
