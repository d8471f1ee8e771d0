import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("HTTPS and HTTP/2", .enabled(if: TLSProxy.isAvailable, "\(TLSProxy.requirement)"))
    struct TLSTests {
        @Test("The main job works over HTTP/2 and TLS, on one connection a host, with --ca-file")
        func http2() async throws {
            try await Scene.with(titles: 8) { scene in
                try await TLSProxy.withProxy(backend: port(of: scene.standIn.apiURL), protocols: "h2") { api in
                    try await TLSProxy.withProxy(backend: port(of: scene.standIn.imagesURL), protocols: "h2") { images in
                        let authorities = scene.home + "/authorities.pem"
                        try await Tool.run(
                            "/bin/sh", ["-c", "cat \"$1\" \"$2\" > \"$0\"", authorities, api.authorityFile, images.authorityFile])
                        let ending = try await scene.posterity(
                            "mirror", "--ca-file", authorities, "--api", api.url + "/3", "--images", images.url + "/t/p")
                        #expect(ending.status == 0, "\(ending.errors)")
                        let manifest = try await scene.manifest()
                        #expect(manifest.originals.count == 24)
                        #expect(manifest.originals.allSatisfy { $0.url.hasPrefix("https://localhost:") })
                        try await CacheInspection(root: scene.cache).expectWhole(manifest)
                        #expect(scene.standIn.requests.filter { $0.area == "images" }.allSatisfy { !$0.hasAuthorization })
                    }
                }
            }
        }

        @Test(
            "An image host with a bad certificate gives tls-failed and exit code 3",
            arguments: TLSProxy.Certificate.allCases.filter { $0 != .valid })
        func badCertificate(certificate: TLSProxy.Certificate) async throws {
            try await Scene.with(titles: 2) { scene in
                try await TLSProxy.withProxy(backend: port(of: scene.standIn.imagesURL), certificate: certificate) { images in
                    let ending = try await scene.posterity(
                        "mirror", "--ca-file", images.authorityFile, "--images", images.url + "/t/p", "--json")
                    #expect(ending.status == 3, "\(ending.errors)")
                    #expect(try RunReport(ending).summary.reasons == ["tls-failed": 6])
                    #expect(scene.count(of: "images") == 0)
                }
            }
        }

        @Test("An API host whose authority is not known ends the run with 1, and never sees the key")
        func unknownAuthority() async throws {
            try await Scene.with(titles: 2) { scene in
                try await TLSProxy.withProxy(backend: port(of: scene.standIn.apiURL)) { api in
                    let ending = try await scene.posterity("mirror", "--api", api.url + "/3", "--quiet")
                    #expect(ending.status == 1)
                    #expect(ending.errorLines.count == 1)
                    #expect(ending.errors.contains("certificate"))
                    #expect(scene.standIn.counts.isEmpty)
                }
            }
        }

        private func port(of url: String) throws -> Int {
            try #require(Int(url.split(separator: ":")[2].prefix { $0.isNumber }))
        }
    }
}
