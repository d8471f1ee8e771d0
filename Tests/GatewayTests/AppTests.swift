import Core
import Foundation
import FoundationNetworking
import StandIn
import TestSupport
import Testing

@testable import Gateway

extension GatewayTests {
    /// What an app does, with what an app does it with.
    @Suite("An app")
    struct AppTests {
        /// The app's own code: of all this only the base addresses and the key are other ones than before.
        private struct App {
            struct Title: Decodable, Sendable {
                let id: Int
                let title: String
                let poster_path: String?
            }

            struct Details: Decodable, Sendable {
                struct Ratings: Decodable, Sendable {}
                let id: Int
                let runtime: Int
                let ratings: Ratings
            }

            struct Failure: Error {
                struct Words: Decodable {
                    let status_message: String
                }
                let status: Int
                let message: String
                let retryAfter: String?
            }

            let api: String
            let images: String
            let key: String
            let session = URLSession(configuration: .ephemeral)

            func trending() async throws -> [Title] {
                struct Page: Decodable { let results: [Title] }
                return try JSONDecoder().decode(Page.self, from: try await get(api + "/trending/movie/week?language=en-US&page=1")).results
            }

            func details(_ id: Int) async throws -> Details {
                try JSONDecoder().decode(Details.self, from: try await get(api + "/movie/\(id)?append_to_response=credits,ratings"))
            }

            func poster(_ path: String) async throws -> Data { try await get(images + "/w185" + path) }

            private func get(_ address: String) async throws -> Data {
                var request = URLRequest(url: try #require(URL(string: address)))
                request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
                request.cachePolicy = .reloadIgnoringLocalCacheData
                let (data, response) = try await session.data(for: request)
                let answer = try #require(response as? HTTPURLResponse)
                guard answer.statusCode == 200 else {
                    let words = try? JSONDecoder().decode(Failure.Words.self, from: data)
                    throw Failure(
                        status: answer.statusCode, message: words?.status_message ?? "",
                        retryAfter: answer.value(forHTTPHeaderField: "Retry-After"))
                }
                return data
            }
        }

        private func failure(_ body: () async throws -> some Any) async -> App.Failure? {
            do {
                _ = try await body()
                return nil
            } catch {
                return error as? App.Failure
            }
        }

        @Test("It shows lists, details and posters through the gateway, and copes with what can go wrong")
        func app() async throws {
            try await House.with({ setup, home in
                setup.options.tokensFile = home + "/tokens.json"
                let token = try TokenFile(home + "/tokens.json").add(named: "app", clock: .system)
                try Data(token.utf8).write(to: URL(filePath: home + "/token"))
                setup.options.requestsPerClient = 30
            }) { house in
                let token = try String(contentsOf: URL(filePath: house.home + "/token"), encoding: .utf8)
                let app = App(api: house.url + "/3", images: house.url + "/t/p", key: token)
                let titles = try await app.trending()
                #expect(titles.count == 20)
                #expect(try await app.details(titles[0].id).id == titles[0].id)
                for title in titles.prefix(3) {
                    let poster = try await app.poster(try #require(title.poster_path))
                    #expect(poster.starts(with: [0xFF, 0xD8, 0xFF]))
                }

                // 401
                let stranger = App(api: house.url + "/3", images: house.url + "/t/p", key: "not-a-token")
                let refused = await failure { try await stranger.trending() }
                #expect(refused?.status == 401 && refused?.message.isEmpty == false)

                // The API is down, slow to fail, or answers with a page of HTML: what is kept is there, what is not is an error that says so.
                for (number, fault) in ["reset", "delay=500 status=500", "body=html"].enumerated() {
                    house.clock.advance(by: 7_200)
                    try house.standIn.addFaults("api \(fault)")
                    #expect(try await app.trending().count == 20, "\(fault)")
                    let unknown = await failure { try await app.details(titles[number + 1].id) }
                    #expect(unknown?.status == 502 && unknown?.message.isEmpty == false, "\(fault)")
                    house.standIn.removeFaults()
                }

                // 429
                var limited: App.Failure?
                for _ in 0..<40 where limited == nil { limited = await failure { try await app.trending() } }
                #expect(limited?.status == 429)
                #expect(limited?.retryAfter != nil)
            }
        }
    }
}
