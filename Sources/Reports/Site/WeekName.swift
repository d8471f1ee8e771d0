internal import Core

/// How an ISO week is written for people.
struct WeekName {
    let week: ISOWeek

    /// Nil for a text that is not an ISO week.
    init?(_ text: String) {
        guard let week = ISOWeek(text) else { return nil }
        self.week = week
    }

    /// "Week 48, 2026".
    var title: String { "Week \(week.week), \(week.year)" }
    /// "Week 48".
    var short: String { "Week \(week.week)" }

    /// "23–29 November 2026", "30 November – 6 December 2026" or "28 December 2026 – 3 January 2027".
    var days: String {
        let (first, last) = (Day(daysSinceEpoch: monday), Day(daysSinceEpoch: monday + 6))
        if first.year != last.year { return "\(first.text) \(first.year) – \(last.text) \(last.year)" }
        if first.month != last.month { return "\(first.text) – \(last.text) \(last.year)" }
        return "\(first.day)–\(last.text) \(last.year)"
    }

    /// "2026-11-23", the Monday.
    var firstDate: String {
        let day = Day(daysSinceEpoch: monday)
        return "\(day.year)-\(day.month < 10 ? "0" : "")\(day.month)-\(day.day < 10 ? "0" : "")\(day.day)"
    }

    // MARK: - Private

    /// In days since 1970-01-01. Week 1 is the one that holds 4 January.
    private var monday: Int {
        let fourth = Day.daysSinceEpoch(year: week.year, month: 1, day: 4)
        let weekday = ((fourth + 3) % 7 + 7) % 7
        return fourth - weekday + 7 * (week.week - 1)
    }
}

/// A day of the Gregorian calendar.
private struct Day {
    let year: Int
    let month: Int
    let day: Int

    var text: String { "\(day) \(Self.months[month - 1])" }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    init(daysSinceEpoch days: Int) {
        // Counted from 1 March of year 0, so that the leap day ends a year; 146,097 days are 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
