/// A day of the Gregorian calendar, before and after whose adoption alike.
struct CalendarDay: Equatable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    // Both ways years are counted from March, so that the leap day comes last, and in eras of 400, after which the calendar repeats itself.
    private static let daysOfEra = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysBefore1970 = 719_468

    init(daysSince1970 days: Int) {
        let days = days + Self.daysBefore1970
        let era = days.floored(by: Self.daysOfEra)
        let dayOfEra = days - era * Self.daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.floored(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysBefore1970
    }
}

extension Int {
    /// Divided by `divisor`, which is positive, and rounded down.
    func floored(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
