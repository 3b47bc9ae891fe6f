import Platform
import Testing

@testable import Recordings

@Suite("Calendar time", .timeLimit(.minutes(30)))
struct DateTimeTextTests {
  private func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return DateTimeText.parseDateAndTime(bytes.span, bytes.indices)
  }

  @Test(
    "ISO 8601 and its common variants are parsed",
    arguments: [
      ("1970-01-01T00:00:00Z", Int64(0)), ("2023-11-14T22:13:20Z", 1_700_000_000_000_000_000),
      ("2023-11-14 22:13:20", 1_700_000_000_000_000_000), ("2023/11/14 22:13:20 UTC", 1_700_000_000_000_000_000),
      ("2023-11-14T23:13:20+01:00", 1_700_000_000_000_000_000),
      ("2023-11-14T17:13:20.5 -0500", 1_700_000_000_500_000_000),
      ("2023-11-15T00:13:20,123456789+02", 1_700_000_000_123_456_789),
      ("2023-11-14T22:13:20.1234567896Z", 1_700_000_000_123_456_790),
      ("14.11.2023 22:13:20", 1_700_000_000_000_000_000), ("11/14/2023 10:13:20 PM", 1_700_000_000_000_000_000),
      ("14/11/2023 22:13:20", 1_700_000_000_000_000_000), ("1/2/2024 12:00:00.000 am", 1_704_153_600_000_000_000),
      ("2023-11-14T23:13:20+01:00[Europe/London]", 1_700_000_000_000_000_000),
      ("2023-11-14 22:13:20:500", 1_700_000_000_500_000_000),
      ("2024-02-29T00:00Z", 1_709_164_800_000_000_000), ("1969-12-31T23:59:59.999Z", -1_000_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000), ("2100-03-01T00:00:00z", 4_107_542_400_000_000_000),
    ])
  func read(text: String, nanoseconds: Int64) { #expect(parse(text) == nanoseconds) }

  @Test(
    "invalid dates and times are rejected",
    arguments: [
      "", "2023", "2023-11-14", "2023-13-01T00:00:00", "2023-02-29T00:00:00", "2023-11-14T24:00:00",
      "2023-11-14T22:60:00",
      "2023-11-14T22:13:61", "2023-11-14T22:13:20.", "2023-11-14T22:13:20+1", "2023-11-14T22:13:20Zx",
      "2023-11-14122:13:20",
      "1500-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "14.13.2023 22:13:20", "31/02/2023 10:00",
      "2023-11-14 13:13:20 AM", "2023-11/14T22:13:20",
    ])
  func refused(text: String) { #expect(parse(text) == nil) }

  @Test("day numbers are consecutive over four centuries")
  func days() {
    var expected = CivilDays.days(year: 1890, month: 1, day: 1)
    #expect(expected == -29_219)
    for year in 1890..<2300 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        let first = CivilDays.days(year: year, month: month + 1, day: 1)
        let last = CivilDays.days(year: year, month: month + 1, day: length)
        if first != expected || last != expected + length - 1 { Issue.record("\(year)-\(month + 1)") }
        expected += length
      }
    }
  }

  @Test("the ends of a window are dates or seconds")
  func window() throws {
    let window = try TimeWindow(start: "2023-11-14", end: "90.5")
    #expect(window.start == .unix(nanoseconds: 1_699_920_000_000_000_000))
    #expect(window.end == .sinceFirstSample(nanoseconds: 90_500_000_000))
    #expect(window.needsAbsoluteTime)
    #expect(throws: TimeWindow.ParsingError(text: "noon")) { try TimeWindow(start: "noon", end: nil) }
  }
}
