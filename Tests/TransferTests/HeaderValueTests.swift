import FoundationEssentials
import Testing
import Transfer

@Suite("Header values")
struct HeaderValueTests {
    /// 1994-11-06T08:49:37Z, the date of the standard's own examples.
    let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "Retry-After is a number of seconds or a date in any of three forms",
        arguments: [
            ("0", 0), ("120", 120), (" 7 ", 7), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 167_670_623),
        ])
    func retryAfter(text: String, seconds: Int) {
        #expect(RetryAfter.delay(text, now: now) == .seconds(seconds))
    }

    @Test(
        "Nonsense in Retry-After says nothing",
        arguments: [
            nil, "", " ", "-3", "+3", "1.5", "soon", "٣", "0x10", "1e3", "99999999999999999999", "Sun, 32 Nov 1994 08:50:37 GMT",
            "Sun, 06 Nov 1994 08:50 GMT", "Sun, 06 Nov 1994 08:50:37", "06 Nov", "Sun, 06 Nov 1994 -1:50:37 GMT",
            "Sun, 06 Foo 1994 08:50:37 GMT",
        ])
    func nonsense(text: String?) {
        #expect(RetryAfter.delay(text, now: now) == nil)
    }

    @Test("Rate limit headers ask for a pause when nothing is left")
    func rateLimit() {
        let later = String(Int(Date(timeIntervalSince1970: 2_000_000_000).timeIntervalSince1970))
        #expect(
            RetryAfter.delay(rateLimit: HTTPHeaders([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "9")]), now: now) == .seconds(9))
        #expect(
            RetryAfter.delay(rateLimit: HTTPHeaders([("RateLimit-Remaining", "0"), ("RateLimit-Reset", later)]), now: now)
                == .seconds(1_215_888_223))
        #expect(RetryAfter.delay(rateLimit: HTTPHeaders([("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "9")]), now: now) == nil)
        #expect(RetryAfter.delay(rateLimit: HTTPHeaders([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "-9")]), now: now) == nil)
    }

    @Test(
        "Freshness follows Cache-Control, then Expires, then the default",
        arguments: [
            ([], 1_000), ([("Cache-Control", "public, max-age=60")], 60), ([("Cache-Control", "MAX-AGE=\"60\"")], 60),
            ([("Cache-Control", "max-age=60"), ("Age", "50")], 10), ([("Cache-Control", "max-age=60"), ("Age", "500")], 0),
            ([("Cache-Control", "no-store, max-age=60")], 0), ([("Cache-Control", "no-cache")], 0), ([("Cache-Control", "max-age=-1")], 0),
            ([("Cache-Control", "max-age=9999999999")], 31_536_000), ([("Cache-Control", "max-age=nonsense")], 0),
            ([("Cache-Control", "max-age=99999999999")], 31_536_000),
            ([("Cache-Control", "max-age=\(String(repeating: "9", count: 40))")], 31_536_000),
            ([("Cache-Control", "max-age=000000000060")], 60), ([("Cache-Control", "max-age=")], 0),
            ([("Cache-Control", "max-age=6 0")], 0),
            ([("Cache-Control", "public")], 1_000), ([("Cache-Control", "max-age=60"), ("Expires", "0")], 60), ([("Expires", "0")], 0),
            ([("Expires", "Sun, 06 Nov 1994 08:50:37 GMT")], 60),
            ([("Expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:50:07 GMT")], 30),
            ([("Expires", "Sun, 06 Nov 1984 08:50:37 GMT")], 0),
        ] as [([(String, String)], Int)])
    func freshness(headers: [(String, String)], seconds: Int) {
        #expect(Freshness.freshUntil(HTTPHeaders(headers), now: now, otherwise: .seconds(1_000)) == now.addingTimeInterval(Double(seconds)))
    }
}
