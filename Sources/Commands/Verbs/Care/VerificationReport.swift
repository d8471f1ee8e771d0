internal import Core
internal import Mirroring
internal import Storage

/// What `posterity verify` prints.
struct VerificationReport: Encodable {
    private struct Finding: Encodable {
        let kind: String
        let path: String
        let detail: String
    }

    private struct Rebuilt: Encodable {
        let urls: Int
        let renditions: Int
        let missing: Int
    }

    private struct Repair: Encodable {
        let repaired: [String]
        let setAside: [String]
        let lost: [String: String]
    }

    /// Whether nothing is missing, damaged or misnamed, and every run can be read.
    let isSound: Bool
    private let objects: Int
    private let bytes: ByteCount
    private let counts: [String: Int]
    private let findings: [Finding]
    private let unreadableRuns: [String: String]
    private let rebuilt: Rebuilt?
    private let repair: Repair?

    init(_ report: VerifyReport, unreadableRuns: [String: String], rebuilt: RebuildReport?, repair: ObjectRepair.Report?) {
        isSound = report.isSound && unreadableRuns.isEmpty
        objects = report.objects
        bytes = report.bytes
        counts = Dictionary(grouping: report.findings, by: \.kind.rawValue).mapValues(\.count)
        findings = report.findings.map { finding in
            let why = repair?.lost[finding.path].map { "; it could not be brought back: \($0)" } ?? ""
            return Finding(kind: finding.kind.rawValue, path: finding.path, detail: finding.detail + why)
        }
        self.unreadableRuns = unreadableRuns
        self.rebuilt = rebuilt.map { Rebuilt(urls: $0.sources, renditions: $0.renditions, missing: $0.missing) }
        self.repair = repair.map { Repair(repaired: $0.repaired, setAside: $0.setAside, lost: $0.lost) }
    }

    var text: String {
        var lines: [String] = []
        if let rebuilt {
            lines.append("index rebuilt: \(Verb.count(rebuilt.urls, "URL")), \(Verb.count(rebuilt.renditions, "rendition"))")
        }
        if let repair {
            lines += repair.repaired.map { "repaired   \($0)" }
            lines += repair.setAside.map { "set aside  \($0)" }
        }
        let orphaned = counts[VerifyReport.Finding.Kind.orphaned.rawValue] ?? 0
        for finding in findings where finding.kind != VerifyReport.Finding.Kind.orphaned.rawValue {
            lines.append("\(finding.kind.padded(to: 9))  \(finding.path.printable): \(finding.detail.printable)")
        }
        for (run, why) in unreadableRuns.sorted(by: { $0.key < $1.key }) {
            lines.append("no run     runs/\(run.printable).json: \(why.printable)")
        }
        lines.append("\(Verb.count(objects, "object")), \(bytes): \(summary)")
        if orphaned > 0 { lines.append("\(orphaned) of them are named by nothing, which is nothing wrong; `posterity prune` removes them") }
        if !isSound, repair == nil { lines.append("`posterity verify --repair` brings back what can be had") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        if isSound { return "all sound" }
        var parts = [VerifyReport.Finding.Kind.missing, .damaged, .misnamed].compactMap { kind in
            counts[kind.rawValue].map { "\($0) \(kind.rawValue)" }
        }
        if !unreadableRuns.isEmpty { parts.append(Verb.count(unreadableRuns.count, "run") + " not readable") }
        return parts.joined(separator: ", ")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
