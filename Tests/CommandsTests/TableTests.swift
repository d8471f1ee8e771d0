import Testing

@testable import Commands

@Suite("The table of verbs and flags")
struct TableTests {
    @Test("No two verbs, and no two flags of a verb, share a name or a letter", arguments: [0, 1])
    func unique(index: Int) {
        let program = [sample, .posterity][index]
        #expect(Set(program.verbs.map(\.name)).count == program.verbs.count)
        for verb in program.verbs {
            let facts = verb.allFlags.map(\.facts)
            let spellings = facts.flatMap(\.spellings)
            #expect(Set(spellings).count == spellings.count, "\(verb.name)")
            let variables = facts.compactMap(\.variable)
            #expect(Set(variables).count == variables.count, "\(verb.name)")
        }
    }

    @Test("Summaries are one sentence without a full stop, names are lower case with dashes", arguments: [0, 1])
    func form(index: Int) {
        let program = [sample, .posterity][index]
        for verb in program.verbs {
            #expect(!verb.summary.hasSuffix(".") && !verb.summary.contains("\n"), "\(verb.name)")
            for facts in verb.allFlags.map(\.facts) {
                #expect(!facts.summary.hasSuffix(".") && !facts.summary.contains("\n"), "\(verb.name) --\(facts.name)")
                #expect(facts.name.allSatisfy { ("a"..."z").contains($0) || $0 == "-" || ("0"..."9").contains($0) }, "--\(facts.name)")
            }
            for set in verb.exclusive {
                for flag in set { #expect(verb.flags.contains { $0.facts.name == flag.facts.name }, "\(verb.name) --\(flag.facts.name)") }
            }
            // Only the last positional argument can take all the words that are left.
            for positional in verb.positionals.dropLast() { #expect(positional.facts.counts.upperBound == 1, "\(verb.name)") }
        }
    }

    @Test("The help of the program itself fits 80 columns")
    func width() {
        let program = Program.posterity
        for page in [HelpText().overview(of: program)] + program.verbs.map({ HelpText().page(of: $0) }) {
            let examples = program.verbs.flatMap(\.examples).map { "  " + $0.command }
            for line in page.split(separator: "\n") where !examples.contains(String(line)) { #expect(line.displayWidth <= 80, "\(line)") }
        }
    }
}
