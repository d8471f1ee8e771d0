import FoundationEssentials
import TestSupport
import Testing

@testable import FaultSuite

@Suite("The quick cases of scripts/faults", .serialized)
struct FaultSuiteTests {
    @Test("The built program bears it", arguments: FaultCase.all.filter { $0.pace == .quick })
    func quick(each: FaultCase) async throws {
        try await withTemporaryDirectory { posters in
            let bench = Bench(program: Tool.built("posterity"), posters: posters, kills: 10)
            do {
                let finding = try await each.run(bench)
                #expect(finding.problems == [], "\(finding.happened)")
            } catch let skipped as Skipped {
                print("skipped: \(each.what): \(skipped.why)")
            }
        }
    }

    @Test("Every case has a name of its own, and stands in docs/faults.md")
    func names() throws {
        let names = FaultCase.all.map { "\($0.group.rawValue): \($0.what)" }
        #expect(Set(names).count == names.count)
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let table = try String(contentsOf: URL(filePath: root + "/docs/faults.md"), encoding: .utf8)
        #expect(FaultCase.all.map(\.what).filter { !table.contains("| \($0) |") } == [])
    }
}

extension FaultCase: CustomTestStringConvertible {
    public var testDescription: String { "\(group.rawValue): \(what)" }
}
