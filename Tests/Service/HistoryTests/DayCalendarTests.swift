import Foundation
import Testing

@testable import History

@Suite("Days with a configurable start", .timeLimit(.minutes(30))) struct DayCalendarTests {
  /// A moment of UTC.
  private static func utc(_ text: String) throws -> Date { try Date(text + ":00Z", strategy: .iso8601) }

  private static func calendar(_ zone: String, dayStart: Duration = .zero) throws -> DayCalendar {
    DayCalendar(timeZone: try #require(TimeZone(identifier: zone)), dayStart: dayStart)
  }

  @Test(
    "a day begins at local midnight and has the length of the local clocks",
    arguments: [
      ("Europe/Berlin", "2026-03-29T10:00", "2026-03-28T23:00", 23.0),
      ("Europe/Berlin", "2026-10-25T10:00", "2026-10-24T22:00", 25),
      ("Europe/Berlin", "2026-10-25T22:59", "2026-10-24T22:00", 25),
      ("Europe/Berlin", "2026-10-25T23:00", "2026-10-25T23:00", 24),
      ("America/New_York", "2026-03-08T12:00", "2026-03-08T05:00", 23),
      ("America/New_York", "2026-11-01T12:00", "2026-11-01T04:00", 25),
      ("Australia/Lord_Howe", "2026-04-05T03:00", "2026-04-04T13:00", 24.5),
      ("Australia/Lord_Howe", "2026-10-04T03:00", "2026-10-03T13:30", 23.5),
      ("Asia/Kathmandu", "2026-05-06T10:00", "2026-05-05T18:15", 24),
      // Midnight itself is skipped: the day begins at one.
      ("America/Sao_Paulo", "2018-11-04T12:00", "2018-11-04T03:00", 23),
      // And the day before ends there.
      ("America/Sao_Paulo", "2018-11-03T12:00", "2018-11-03T03:00", 24),
      // 30 December was skipped.
      ("Pacific/Apia", "2011-12-30T09:59", "2011-12-29T10:00", 24),
      ("Pacific/Apia", "2011-12-30T10:00", "2011-12-30T10:00", 24),
    ])
  func days(zone: String, moment: String, start: String, hours: Double) throws {
    let day = try Self.calendar(zone).day(containing: Self.utc(moment))
    #expect(day.start == (try Self.utc(start)))
    #expect(day.duration == hours * 3600)
  }

  @Test(
    "a day may begin later, also in an hour that is skipped or repeated",
    arguments: [
      ("Europe/Berlin", 240, "2026-03-29T02:00", "2026-03-29T02:00", 24.0),
      ("Europe/Berlin", 240, "2026-03-29T01:59", "2026-03-28T03:00", 23),
      ("Europe/Berlin", 150, "2026-03-29T01:30", "2026-03-29T01:00", 23.5),
      ("Europe/Berlin", 150, "2026-10-25T01:45", "2026-10-25T00:30", 25),
      ("Europe/Berlin", 150, "2026-10-25T00:29", "2026-10-24T00:30", 24),
      ("Australia/Lord_Howe", 135, "2026-10-03T15:30", "2026-10-03T15:30", 23.75),
      ("America/New_York", 23 * 60 + 59, "2026-11-02T04:59", "2026-11-02T04:59", 24),
    ])
  func laterDays(zone: String, minutes: Int, moment: String, start: String, hours: Double) throws {
    let day = try Self.calendar(zone, dayStart: .seconds(minutes * 60)).day(containing: Self.utc(moment))
    #expect(day.start == (try Self.utc(start)))
    #expect(day.duration == hours * 3600)
  }

  @Test(
    "every moment of a year is in its day, and days are consecutive without gaps",
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
    ], [0, 150, 24 * 60 - 1])
  func tiling(zone: String, minutes: Int) throws {
    let calendar = try Self.calendar(zone, dayStart: .seconds(minutes * 60))
    var day = calendar.day(containing: try Self.utc("2026-01-01T00:00"))
    var lengths: Set<Double> = []
    for _ in 0..<365 {
      let next = calendar.day(containing: day.end)
      #expect(next.start == day.end && next.duration > 0)
      #expect(calendar.day(containing: day.end - 1) == day)
      #expect(calendar.day(before: next.start) == day)
      lengths.insert(day.duration / 3600)
      day = next
    }
    #expect(lengths.count >= 3)
  }

  @Test(
    "hours are those of local clocks: 23, 25, and half ones on Lord Howe Island",
    arguments: [
      ("Europe/Berlin", "2026-03-29T10:00", 23, 60.0), ("Europe/Berlin", "2026-10-25T10:00", 25, 60),
      ("America/New_York", "2026-11-01T12:00", 25, 60), ("Australia/Lord_Howe", "2026-04-05T03:00", 25, 30),
      ("Australia/Lord_Howe", "2026-10-04T03:00", 24, 30), ("Asia/Kathmandu", "2026-05-06T10:00", 24, 60),
    ])
  func hours(zone: String, moment: String, count: Int, shortest: Double) throws {
    let calendar = try Self.calendar(zone)
    let day = calendar.day(containing: try Self.utc(moment))
    let edges = try calendar.edges(from: day.start, to: day.end, by: .hour, most: 100)
    #expect(edges.count == count + 1)
    let minutes = zip(edges, edges.dropFirst()).map { $1.timeIntervalSince($0) / 60 }
    #expect(minutes.min() == shortest && minutes.max() == 60)
  }

  @Test(
    "a time is parsed in local time, or with an offset",
    arguments: [
      ("2026-05-06T10:00", "2026-05-06T08:00"), ("2026-05-06 10:00:00", "2026-05-06T08:00"),
      ("2026-05-06T10:00Z", "2026-05-06T10:00"), ("2026-05-06T10:00:00+05:30", "2026-05-06T04:30"),
      ("2026-05-06T10:00+05:30", "2026-05-06T04:30"), ("2026-03-29T02:30", "2026-03-29T01:00"),
      ("2026-05-06T10:00:00+0530", "2026-05-06T04:30"), ("2026-05-06T10:00-02:00", "2026-05-06T12:00"),
      ("2026-05-06T10:60", nil), ("2026-05-06T10:60Z", nil), ("2026-05-06T10:00:61", nil), ("2026-05-06T24:00Z", nil),
      ("2026-05-06T10:00+02:60", nil), ("2026-05-06T10:00+24:00", nil), ("2026-05-06T10:0", nil),
      ("2026-02-30", nil), ("2026-05-06T25:00", nil), ("yesterday", nil), ("", nil), ("T", nil),
    ] as [(String, String?)])
  func readings(text: String, moment: String?) throws {
    let reading = try Self.calendar("Europe/Berlin").reading(text)
    #expect(reading?.start == (try moment.map { try Self.utc($0) }))
    #expect(reading?.duration ?? 0 == 0)
  }

  @Test(
    "the start of the day is an hour of one or two digits and a minute of two",
    arguments: [
      ("00:00", 0), ("4:00", 240), ("04:05", 245), ("23:59", 1439), ("24:00", nil), ("04:60", nil), ("004:00", nil),
      (":30", nil), ("4:5", nil), ("4:005", nil), ("4", nil), ("4:00:00", nil), ("-4:00", nil), ("", nil),
    ] as [(String, Int?)])
  func dayStart(text: String, minutes: Int?) {
    #expect(DayCalendar.dayStart(text) == minutes.map { .seconds($0 * 60) })
  }

  @Test("the last second of a day is one of that day")
  func lastSecond() throws {
    let calendar = try Self.calendar("Europe/Berlin")
    #expect(calendar.reading("2026-05-06T23:59:59")?.start == (try Self.utc("2026-05-06T22:00") - 1))
  }

  @Test("too many buckets are refused before they are computed")
  func tooMany() throws {
    #expect(throws: HistoryError.tooManyBuckets) {
      try DayCalendar(timeZone: .gmt).edges(
        from: Date(timeIntervalSince1970: 0), to: .distantFuture, by: .minute, most: 99)
    }
    let (calendar, start) = (DayCalendar(timeZone: .gmt), Date(timeIntervalSince1970: 0))
    #expect(try calendar.edges(from: start, to: Date(minute: 99), by: .minute, most: 99).count == 100)
    #expect(try calendar.edges(from: start, to: start, by: .minute, most: 99) == [])
    #expect(throws: HistoryError.tooManyBuckets) {
      try calendar.edges(from: start, to: Date(minute: 99) + 1, by: .minute, most: 99)
    }
  }

  @Test(
    "microseconds are limited to the year 5138, in both directions from 1970",
    arguments: [
      (Double.infinity, 100_000_000_000_000_000), (-.infinity, -100_000_000_000_000_000),
      (.nan, -100_000_000_000_000_000), (1.5, 1_500_000), (-0.000_001, -1),
    ] as [(Double, Int64)])
  func microseconds(seconds: Double, expected: Int64) {
    #expect(Date(timeIntervalSince1970: seconds).microseconds == expected)
  }

  @Test(
    "the calendar date of a moment",
    arguments: [
      (0.0, 0, "1970-01-01T00:00:00Z", 4), (1_778_061_600, 7200, "2026-05-06T12:00:00+02:00", 3),
      (951_827_696, -12_600, "2000-02-29T09:04:56-03:30", 2), (-1, 0, "1969-12-31T23:59:59Z", 3),
      (-62_135_596_800, 0, "0001-01-01T00:00:00Z", 1),
    ])
  func civilDates(seconds: Double, offset: Int, text: String, weekday: Int) {
    let date = CivilDate(Date(timeIntervalSince1970: seconds), offset: offset)
    #expect(date.iso8601 == text)
    #expect(date.weekday == weekday)
  }
}
