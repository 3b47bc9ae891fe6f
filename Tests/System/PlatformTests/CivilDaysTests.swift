import Platform
import Testing

@Suite("Days of the calendar", .timeLimit(.minutes(30))) struct CivilDaysTests {
  @Test(
    "dates and day numbers convert to each other",
    arguments: [
      (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2026, 11, 21, 20_778),
      (1900, 3, 1, -25_508), (1, 1, 1, -719_162), (0, 3, 1, -719_468), (9999, 12, 31, 2_932_896),
    ])
  func days(year: Int, month: Int, day: Int, number: Int) {
    #expect(CivilDays.days(year: year, month: month, day: day) == number)
    #expect(CivilDays.date(number) == (year, month, day))
  }

  @Test("every day of eight centuries round-trips, in order")
  func roundTrip() {
    var former = CivilDays.date(-146_097)
    for number in -146_096...146_097 {
      let date = CivilDays.date(number)
      #expect(CivilDays.days(year: date.year, month: date.month, day: date.day) == number)
      #expect(former < date)
      former = date
    }
  }

  @Test("30 February is invalid; 29 February is valid in leap years only")
  func validity() {
    #expect(CivilDays.isDate(year: 2024, month: 2, day: 29) && !CivilDays.isDate(year: 2023, month: 2, day: 29))
    #expect(CivilDays.isDate(year: 2000, month: 2, day: 29) && !CivilDays.isDate(year: 1900, month: 2, day: 29))
    #expect(CivilDays.isDate(year: 2026, month: 12, day: 31) && !CivilDays.isDate(year: 2026, month: 12, day: 32))
    for (month, day) in [(0, 1), (13, 1), (1, 0), (4, 31), (2, 30)] {
      #expect(!CivilDays.isDate(year: 2024, month: month, day: day))
    }
  }
}
