internal import Core
/// The reading of one verb's part of the command line: first the texts are sorted out, then values made of them.
struct Reading {
    private let verb: Verb
    private let flags: [any AnyFlag]
    private var texts: [String: [String]] = [:]
    private var words: [String] = []

    init(verb: Verb) {
        self.verb = verb
        flags = verb.allFlags
    }

    /// Sorts out the tokens; false when help is asked for.
    ///
    /// - Parameter owners: all verbs, to say whose an unknown flag is.
    mutating func read(_ tokens: [String], owners: [Verb]) throws(UsageError) -> Bool {
        var rest = tokens[...]
        while let token = rest.popFirst() {
            if token == "--" {
                words += rest
                break
            } else if token.hasPrefix("--") {
                try readLong(token, &rest, owners: owners)
            } else if token.hasPrefix("-"), token != "-" {
                try readShort(token, &rest)
            } else {
                words.append(token)
            }
            if texts["help"] != nil { return false }
        }
        return true
    }

    /// Makes the values: from the command line, else from the environment, else by default.
    func arguments(_ environment: Environment) throws(UsageError) -> Arguments {
        let overruled = try overruledByExclusion(environment)
        var arguments = Arguments()
        for flag in flags {
            let name = flag.facts.name
            if let given = texts[name] {
                arguments.flags[name] = try value(calling: "--" + name, given) { try flag.boxed($0) }
                arguments.sources[name] = .commandLine
            } else if let variable = flag.facts.variable, let text = environment[variable], !text.isEmpty, !overruled.contains(name) {
                let given = flag.facts.isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
                arguments.flags[name] = try value(calling: variable, given) { try flag.boxed($0) }
                arguments.sources[name] = .environment
            } else {
                arguments.flags[name] = try flag.boxedFallback(environment)
            }
        }
        try fillPositionals(&arguments)
        return arguments
    }

    // MARK: - Tokens

    private mutating func readLong(_ token: String, _ rest: inout ArraySlice<String>, owners: [Verb]) throws(UsageError) {
        let parts = token.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        if let flag = flags.first(where: { $0.facts.name == name }) {
            try take(flag, calledAs: "--" + name, attached: attached, &rest)
        } else if name.hasPrefix("no-"), let flag = flags.first(where: { $0.facts.isNegatable && $0.facts.name == name.dropFirst(3) }) {
            guard attached == nil else { throw UsageError("--\(name) takes no value") }
            texts[flag.facts.name, default: []].append("false")
        } else {
            throw unknown(name, owners: owners)
        }
    }

    private mutating func readShort(_ token: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = token.dropFirst()
        while let letter = letters.popFirst() {
            guard let flag = flags.first(where: { $0.facts.short == letter }) else {
                // `-json` is a slip for `--json`, not four letters.
                let whole = String(token.dropFirst())
                let meant = Suggestion.nearest(to: whole, among: flags.map(\.facts.name))
                throw UsageError("unknown flag -\(letter)" + (meant.map { "; did you mean --\($0)?" } ?? ""))
            }
            if flag.facts.placeholder != nil {
                let attached = letters.isEmpty ? nil : String(letters.first == "=" ? letters.dropFirst() : letters)
                return try take(flag, calledAs: "-\(letter)", attached: attached, &rest)
            }
            try take(flag, calledAs: "-\(letter)", attached: nil, &rest)
        }
    }

    private mutating func take(
        _ flag: any AnyFlag, calledAs name: String, attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let facts = flag.facts
        guard let placeholder = facts.placeholder else {
            guard attached == nil else { throw UsageError("\(name) takes no value") }
            texts[facts.name, default: []].append("true")
            return
        }
        if let attached {
            texts[facts.name, default: []].append(attached)
        } else if let next = rest.first, !looksLikeFlag(next) {
            texts[facts.name, default: []].append(next)
            rest.removeFirst()
        } else if let next = rest.first {
            throw UsageError("\(name) needs a value (\(placeholder)) before \(next); one that begins with a dash is written \(name)=VALUE")
        } else {
            throw UsageError("\(name) needs a value (\(placeholder))")
        }
    }

    /// `-` and negative numbers are values.
    private func looksLikeFlag(_ token: String) -> Bool {
        guard token.hasPrefix("-"), token.count > 1 else { return false }
        return !token.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    }

    private func unknown(_ name: String, owners: [Verb]) -> UsageError {
        let negations = flags.filter(\.facts.isNegatable).map { "no-" + $0.facts.name }
        if let nearest = Suggestion.nearest(to: name, among: flags.map(\.facts.name) + negations) {
            return UsageError("unknown flag --\(name); did you mean --\(nearest)?")
        }
        if let owner = owners.first(where: { $0.flags.contains { $0.facts.name == name } }) {
            return UsageError("unknown flag --\(name); it is one of posterity \(owner.name)")
        }
        return UsageError("unknown flag --\(name)")
    }

    // MARK: - Values

    private func value(calling name: String, _ texts: [String], _ make: ([String]) throws -> any Sendable) throws(UsageError)
        -> any Sendable
    {
        do {
            return try make(texts)
        } catch let problem as ValueError {
            // Each text is tried alone to name the one at fault.
            let culprit = texts.first { (try? make([$0])) == nil } ?? texts.last ?? ""
            throw UsageError("\(name): \"\(culprit)\" \(problem)")
        } catch {
            throw UsageError("\(name): \(error)")
        }
    }

    /// Flags whose variables do not count, because the command line gives another of their set.
    private func overruledByExclusion(_ environment: Environment) throws(UsageError) -> Set<String> {
        var overruled: Set<String> = []
        for set in verb.exclusive + [[Flags.quiet, Flags.verbose]] {
            let given = set.filter { texts[$0.facts.name] != nil }
            if given.count > 1 { throw UsageError("--\(given[0].facts.name) and --\(given[1].facts.name) exclude each other") }
            if given.isEmpty {
                let variables = set.compactMap(\.facts.variable).filter { environment.text($0) != nil }
                if variables.count > 1 { throw UsageError("\(variables[0]) and \(variables[1]) exclude each other") }
            } else {
                overruled.formUnion(set.map(\.facts.name).filter { texts[$0] == nil })
            }
        }
        return overruled
    }

    private func fillPositionals(_ arguments: inout Arguments) throws(UsageError) {
        var rest = words[...]
        for positional in verb.positionals {
            let facts = positional.facts
            let own = Array(rest.prefix(facts.counts.upperBound))
            rest = rest.dropFirst(own.count)
            guard own.count >= facts.counts.lowerBound else { throw UsageError("\(facts.name) is missing") }
            arguments.positionals[facts.name] = try value(calling: facts.name, own) { try positional.boxed($0) }
        }
        if let extra = rest.first { throw UsageError("unexpected argument \(extra)") }
    }
}
