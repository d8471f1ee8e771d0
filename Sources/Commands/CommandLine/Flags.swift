/// The table of flags. Those that only some verbs have are added in extensions.
package enum Flags {
    package static let quiet = Flag.switch("quiet", short: "q", "Print errors only: no progress, no summary", in: .output)
    package static let verbose = Flag.switch("verbose", short: "v", "Print what happens in detail, with the time elapsed", in: .output)
    static let help = Flag.switch("help", short: "h", "Print this help", in: .output, environment: false)
    static let version = Flag.switch("version", short: "V", "Print the version", in: .output, environment: false)

    /// Every verb has these, and they may stand before the verb.
    static let everywhere: [any AnyFlag] = [quiet, verbose, help]
}
