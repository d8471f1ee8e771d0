import Core
import Testing

@Suite("A scribe")
struct ScribeTests {
    private struct Book {
        var records: [Int] = []
        var lost: [Int] = []
        var isWriting = false
        var mayWrite = false
    }

    @Test("Whoever hands something in is never held up; what is too much is counted, and the close does not wait for ever")
    func heldUp() {
        let book = Monitor(Book())
        let scribe = Scribe<Int>(named: "test", mostWaiting: 10) { records, lost in
            book.change { $0.isWriting = true }
            book.wait { $0.mayWrite ? .done(()) : .wait }
            book.change {
                $0.records += records
                $0.lost.append(lost)
            }
        }
        scribe.add(0)
        book.wait { $0.isWriting ? .done(()) : .wait }
        for record in 1...25 { scribe.add(record) }
        scribe.close(within: 10)
        #expect(book.change { $0.records }.isEmpty, "it was closed while its thread was held up")
        scribe.add(99)
        book.change { $0.mayWrite = true }
        let written = book.wait { $0.lost.count == 2 ? .done(($0.records, $0.lost)) : .wait }
        #expect(written.0 == Array(0...10))
        #expect(written.1 == [0, 15])
    }

    @Test("All that was handed in before the close is written when it returns")
    func closed() {
        let book = Monitor(Book())
        let scribe = Scribe<Int>(named: "test", mostWaiting: 10_000) { records, _ in book.change { $0.records += records } }
        for record in 0..<5_000 { scribe.add(record) }
        scribe.close(within: 60_000)
        #expect(book.change { $0.records } == Array(0..<5_000))
    }
}
