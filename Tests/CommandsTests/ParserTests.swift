import Testing

@testable import Commands

@Suite("The command line")
struct ParserTests {
    @Test(
        "A flag's value can be written in every usual way",
        arguments: [
            ["mirror", "--concurrency", "8"], ["mirror", "--concurrency=8"], ["mirror", "-c8"], ["mirror", "-c", "8"], ["mirror", "-c=8"],
            ["mirror", "-vc8"], ["-v", "mirror", "-c8"], ["mirror", "movie/popular", "--concurrency", "8", "movie/upcoming"],
            ["mirror", "--concurrency", "4", "--concurrency", "8"],
        ])
    func spellings(line: [String]) throws {
        let arguments = try #require(try arguments(line))
        #expect(arguments[Flags.concurrency] == 8)
        #expect(arguments.source(of: Flags.concurrency) == .commandLine)
    }

    @Test("The command line goes before the environment, and that before the default")
    func precedence() throws {
        let environment = ["HOME": "/h", "POSTERITY_CONCURRENCY": "7"]
        #expect(try arguments(["mirror", "-c3"], environment)?[Flags.concurrency] == 3)
        #expect(try arguments(["mirror"], environment)?[Flags.concurrency] == 7)
        #expect(try arguments(["mirror"], environment)?.source(of: Flags.concurrency) == .environment)
        #expect(try arguments(["mirror"])?[Flags.concurrency] == 16)
        #expect(try arguments(["mirror"], ["HOME": "/h", "POSTERITY_CONCURRENCY": ""])?[Flags.concurrency] == 16)
    }

    @Test("Optional, repeated and negated flags and words after -- have their values")
    func kinds() throws {
        let given = try #require(
            try arguments(["mirror", "--recipe", "a,b", "--recipe=c", "--no-heed", "--top", "5", "x", "--", "--top", "-"]))
        #expect(given[Flags.recipe] == ["a,b", "c"])
        #expect(given[Flags.heed] == false)
        #expect(given[Flags.top] == 5)
        #expect(given[Flags.pages] == nil)
        #expect(given[lists] == ["x", "--top", "-"])
        #expect(given[Flags.cache] == "/home/someone/.cache/posterity")
        #expect(try arguments(["mirror"])?[lists] == ["trending/movie/week"])
        #expect(try arguments(["mirror"], ["HOME": "/h", "POSTERITY_RECIPE": "a\nb"])?[Flags.recipe] == ["a", "b"])
        #expect(try arguments(["mirror"], ["HOME": "/h", "POSTERITY_HEED": "0"])?[Flags.heed] == false)
    }

    @Test(
        "What is wrong is named, and what was probably meant",
        arguments: [
            (["mirorr"], "unknown verb mirorr; did you mean mirror?"),
            (["mirror", "--concurency", "3"], "unknown flag --concurency; did you mean --concurrency?"),
            (["mirror", "--concurency=3"], "unknown flag --concurency; did you mean --concurrency?"),
            (["mirror", "--format", "png"], "unknown flag --format; it is one of posterity sheet"),
            (["mirror", "--zzz"], "unknown flag --zzz"),
            (["mirror", "-x"], "unknown flag -x"),
            (["mirror", "-verbos"], "unknown flag -e; did you mean --verbose?"),
            (["mirror", "-c"], "-c needs a value (N)"),
            (["mirror", "--top", "--quiet"], "--top needs a value (N) before --quiet; one that begins with a dash is written --top=VALUE"),
            (["mirror", "--top", "-3"], "--top: \"-3\" is not a whole number from 1 to 10000"),
            (["mirror", "--top", "1", "--pages=1"], "--top and --pages exclude each other"),
            (["mirror", "-qv"], "--quiet and --verbose exclude each other"),
            (["mirror", "--quiet=1"], "--quiet takes no value"),
            (
                ["mirror", "--sizes", "w185,w34x"],
                "--sizes: \"w185,w34x\" will not do: \"w34x\" is not a size (w<N>, h<N> or original); did you mean w342?"
            ),
            (["mirror", "--recipe", "a", "--recipe="], "--recipe: \"\" is empty"),
            (["mirror", "--deadline", "10"], "--deadline: \"10\" is not a time such as 30s, 10m or 2h"),
            (["mirror", "--key-file", "/nonexistent"], "--key-file: \"/nonexistent\" cannot be read: no such file or directory"),
            (["sheet", "--format", "jpg"], "--format: \"jpg\" is unknown; did you mean jpeg?"),
            (["sheet", "--format", "tiff"], "--format: \"tiff\" is unknown; it can be png, jpeg, webp, pdf"),
            (["sheet", "a", "b"], "unexpected argument b"),
            (["completion"], "SHELL is missing"),
            (["completion", "bsh"], "SHELL: \"bsh\" is unknown; did you mean bash?"),
            (["--cache", "x", "mirror"], "--cache goes after the verb, as in posterity mirror --cache"),
            (["--versoin"], "unknown flag --versoin; did you mean --version?"),
            (["mirror", "--\u{1B}[31m"], "unknown flag --\\u{1b}[31m"),
        ])
    func refusals(line: [String], sentence: String) {
        #expect(refusal(line) == sentence)
    }

    @Test("A bad value from the environment is blamed on its variable")
    func badVariable() {
        #expect(
            refusal(["mirror"], ["HOME": "/h", "POSTERITY_CONCURRENCY": "many"])
                == "POSTERITY_CONCURRENCY: \"many\" is not a whole number from 1 to 256")
        #expect(refusal(["mirror"], ["HOME": "/h", "POSTERITY_HEED": "perhaps"]) == "POSTERITY_HEED: \"perhaps\" is neither 1 nor 0")
        #expect(refusal(["mirror"], ["HOME": "/h", "POSTERITY_KEY_FILE": "/nonexistent"]) == nil, "excluded from the environment")
    }

    @Test("A flag on the command line puts the variables of those that it excludes out of force")
    func exclusionAndEnvironment() throws {
        let environment = ["HOME": "/h", "POSTERITY_PAGES": "3"]
        #expect(try arguments(["mirror", "--top", "5"], environment)?[Flags.pages] == nil)
        #expect(try arguments(["mirror"], environment)?[Flags.pages] == 3)
        #expect(
            refusal(["mirror"], ["HOME": "/h", "POSTERITY_PAGES": "3", "POSTERITY_TOP": "3"])
                == "POSTERITY_TOP and POSTERITY_PAGES exclude each other")
    }

    @Test("Without HOME and XDG_CACHE_HOME a cache must be named")
    func noHome() throws {
        #expect(refusal(["mirror"], [:]) == "neither HOME nor XDG_CACHE_HOME is set; say where the cache is with --cache DIR")
        #expect(try arguments(["mirror", "--cache", "x"], [:])?[Flags.cache] == "x")
        #expect(try arguments(["mirror"], ["HOME": "/h", "XDG_CACHE_HOME": "/x"])?[Flags.cache] == "/x/posterity")
        #expect(try arguments(["mirror"], ["HOME": "/h", "XDG_CACHE_HOME": "x"])?[Flags.cache] == "/h/.cache/posterity")
    }
}
