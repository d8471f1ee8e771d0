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

    @Test("No two cases are called the same")
    func names() {
        let names = FaultCase.all.map { "\($0.group.rawValue): \($0.what)" }
        #expect(Set(names).count == names.count)
    }
}

extension FaultCase: CustomTestStringConvertible {
    public var testDescription: String { "\(group.rawValue): \(what)" }
}
