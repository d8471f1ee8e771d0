import StandIn
import TestSupport

// Certificates and names that are not what they should be.

extension FaultCase {
    static let hosts: [FaultCase] = [
        certificate("expired", .expired, of: "images"),
        certificate("self-signed", .selfSigned, of: "images"),
        certificate("for another name", .wrongName, of: "images"),
        certificate("expired", .expired, of: "the API"),
        certificate("self-signed", .selfSigned, of: "the API"),
        certificate("for another name", .wrongName, of: "the API"),
        FaultCase(.hosts, "a certificate in order, HTTP/2") { bench in
            try await withProxy(bench, .valid) { scene, proxy in
                var finding = Finding()
                let changes = [
                    "POSTERITY_IMAGES": proxy.url + "/t/p", "POSTERITY_API": proxy.url + "/3", "POSTERITY_CA_FILE": proxy.authorityFile,
                ]
                let run = try await scene.mirror(changes: changes)
                finding.note("exit \(run.status), all \(run.summary?.fetched ?? 0) had")
                finding.expect(run.ending, status: 0)
                try await scene.audit(&finding)
                return finding
            }
        },
        FaultCase(.hosts, "an image host without an address (DNS)", .waiting) { bench in
            try await allFail(bench, images: "https://images.invalid/t/p", reasons: ["name-not-found", "host-unavailable"])
        },
        FaultCase(.hosts, "an API without an address (DNS)", .waiting) { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let run = try await scene.mirror(changes: ["POSTERITY_API": "https://api.invalid/3"])
                finding.note("exit \(run.status): \(run.lastWords.prefix(90))")
                finding.expect(run.ending, status: 1)
                try await scene.audit(&finding)
                return finding
            }
        },
    ]

    private static func certificate(_ what: String, _ certificate: TLSProxy.Certificate, of host: String) -> FaultCase {
        FaultCase(.hosts, "\(host): a certificate that is \(what)", certificate == .expired && host == "images" ? .quick : .ordinary) {
            bench in
            try await withProxy(bench, certificate) { scene, proxy in
                var finding = Finding()
                let address = host == "images" ? ["POSTERITY_IMAGES": proxy.url + "/t/p"] : ["POSTERITY_API": proxy.url + "/3"]
                let run = try await scene.mirror(changes: address.merging(["POSTERITY_CA_FILE": proxy.authorityFile]) { $1 })
                finding.expect(run.ending, status: host == "images" ? 3 : 1)
                if host == "images" {
                    finding.note("exit \(run.status), \(run.reasons.joined(separator: ", "))")
                    finding.expect(Set(run.reasons).isSubset(of: ["tls-failed", "host-unavailable"]), "reasons \(run.reasons)")
                } else {
                    finding.note("exit \(run.status): \(run.lastWords.prefix(90))")
                    finding.expect(!scene.standIn.requests.contains { $0.hasAuthorization }, "the key was sent")
                }
                finding.expect(CacheAudit.objects(in: scene.cache).isEmpty, "something was kept")
                try await scene.audit(&finding)
                return finding
            }
        }
    }

    private static func withProxy(
        _ bench: Bench, _ certificate: TLSProxy.Certificate, _ body: (Scene, TLSProxy) async throws -> Finding
    ) async throws -> Finding {
        guard TLSProxy.isAvailable else { throw Skipped(TLSProxy.requirement) }
        return try await bench.withScene { scene in
            // Both hosts answer at either port.
            guard let port = scene.standIn.apiURL.split(separator: ":").last.flatMap({ Int($0.prefix { $0 != "/" }) }) else {
                throw Skipped("no port")
            }
            return try await TLSProxy.withProxy(backend: port, certificate: certificate) { try await body(scene, $0) }
        }
    }
}
