/// The long form of a title: `movie/{id}` and `tv/{id}`.
struct TitleDetails {
    let title: CatalogueTitle
    let tongue: Tongue

    /// - Parameter parts: what `append_to_response` asks for: `credits`, `ratings`. Others are ignored, as the API does.
    func json(with parts: [String]) -> JSONValue {
        var random = StableRandom(41, title.index)
        var members = title.commonMembers(in: tongue)
        members.append(("genres", genres(&random)))
        switch title.kind {
        case .movie: members.append(("runtime", .int(74 + random.below(100))))
        case .tv:
            members.append(("created_by", .array([.object([("id", .int(random.below(1_000_000))), ("name", .string(person(&random)))])])))
            members.append(("episode_run_time", .array([.int(22 + random.below(40))])))
            members.append(("number_of_seasons", .int(1 + random.below(6))))
            members.append(("number_of_episodes", .int(6 + random.below(70))))
        }
        if parts.contains("credits") { members.append(("credits", credits(&random))) }
        if parts.contains("ratings") { members.append(("ratings", ratings(&random))) }
        return .object(members)
    }

    // MARK: - Private

    /// One to three.
    private func genres(_ random: inout StableRandom) -> JSONValue {
        let names = ["Mystery", "Adventure", "Comedy", "Drama", "Fable", "Musical"]
        let first = random.below(names.count)
        return .array(
            (0...random.below(3)).map { place in
                let number = (first + place * 5) % names.count
                return .object([("id", .int(10 + number)), ("name", .string(names[number]))])
            })
    }

    private func person(_ random: inout StableRandom) -> String {
        InventedName(&random).spelt(in: .latin) + " " + InventedName(&random).spelt(in: .latin)
    }

    private func credits(_ random: inout StableRandom) -> JSONValue {
        let cast = (0..<5).map { place in
            JSONValue.object([
                ("id", .int(random.below(1_000_000))), ("name", .string(person(&random))), ("character", .string(person(&random))),
                ("order", .int(place)), ("profile_path", .null),
            ])
        }
        let jobs = title.index % 7 == 2 ? ["Director", "Writer", "Director"] : ["Director", "Writer"]
        let crew = jobs.map { job in
            JSONValue.object([
                ("id", .int(random.below(1_000_000))), ("name", .string(person(&random))), ("job", .string(job)),
                ("department", .string(job == "Director" ? "Directing" : "Writing")),
            ])
        }
        return .object([("cast", .array(cast)), ("crew", .array(crew))])
    }

    /// Each source's rating, or null where it has none.
    private func ratings(_ random: inout StableRandom) -> JSONValue {
        var members: [(String, JSONValue)] = []
        for (name, scale) in [("imdb", 10.0), ("kinopoisk", 10), ("metacritic", 100), ("rotten_tomatoes", 100)] {
            let value = (random.within(0.3...0.95) * scale * (scale > 10 ? 1 : 10)).rounded() / (scale > 10 ? 1 : 10)
            let votes = random.below(90_000)
            let isRated = random.below(4) > 0
            members.append((name, isRated ? .object([("value", .double(value)), ("votes", .int(votes))]) : .null))
        }
        let own = JSONValue.object([("value", .double(title.voteAverage)), ("votes", .int(title.voteCount))])
        members.append(("tmdb", title.voteCount > 0 ? own : .null))
        return .object(members)
    }
}
