import Testing

@testable import Recordings
@testable import Studies

@Suite("Days of a participant", .timeLimit(.minutes(30)))
struct StudyDayTests {
  /// Minutes of some days from a moment in UTC, each with as many steps as the hour of UTC.
  private func minutes(from start: Int64, days: Int) -> [StudyMinute] {
    (0..<Int64(days * 1440)).map { index in
      let number = start / 60 + index
      return StudyMinute(number: number, steps: Int(number % 1440 / 60), isWorn: true, enmo: 20, mad: nil)
    }
  }

  private func clock(_ zone: String?) throws -> StudyClock {
    var summary = RecordingSummary()
    summary.timestampsAreAbsolute = true
    let zones = try zone.map { try #require(ZonePlan($0)) }
    return try #require(StudyClock(summary, firstTimestamp: 0, zones: zones, recorderZone: nil))
  }

  @Test("a day has 25 hours when clocks go back, and 23 when they go forward")
  func daylightSaving() throws {
    // 2026-10-24T22:00Z is midnight in Berlin, and 2026-03-28T23:00Z.
    let autumn = DayTable(
      minutes(from: 1_792_879_200, days: 3), bouts: [], clock: try clock("Europe/Berlin"), StudyParameters())
    #expect(autumn.days.map { DayTable.date($0.number) }.prefix(2) == ["2026-10-25", "2026-10-26"])
    #expect(autumn.days.map(\.minutes).prefix(2) == [1500, 1440])
    let spring = DayTable(
      minutes(from: 1_774_738_800, days: 2), bouts: [], clock: try clock("Europe/Berlin"), StudyParameters())
    #expect(spring.days.map(\.minutes).prefix(1) == [1380])
  }

  @Test("a flight west makes the day longer, and no minute is lost")
  func flight() throws {
    // From Berlin to New York, six hours behind, on 6 May at 12:00Z; from Berlin's midnight on.
    let plan = "Europe/Berlin;2026-05-06T12:00:00Z=America/New_York"
    let days = DayTable(
      minutes(from: 1_778_018_400, days: 3), bouts: [], clock: try clock(plan), StudyParameters()
    ).days
    #expect(days.map { DayTable.date($0.number) }.prefix(2) == ["2026-05-06", "2026-05-07"])
    #expect(days.map(\.minutes) == [30 * 60, 24 * 60, 18 * 60])
  }

  @Test("a day may begin at four in the morning")
  func dayStart() throws {
    var parameters = StudyParameters()
    parameters.dayStart = 240
    // 2026-05-05T22:00Z is midnight in Berlin.
    let days = DayTable(minutes(from: 1_778_018_400, days: 1), bouts: [], clock: try clock("Europe/Berlin"), parameters)
      .days
    #expect(days.map { DayTable.date($0.number) } == ["2026-05-05", "2026-05-06"])
    #expect(days.map(\.minutes) == [240, 1200])
  }

  @Test("peaks are means of a day's highest minutes, and bands contain only minutes of wear")
  func cadence() throws {
    var minutes = (0..<Int64(1440)).map { StudyMinute(number: $0, steps: 0, isWorn: $0 < 720, enmo: nil, mad: nil) }
    for index in 0..<40 { minutes[index].steps = 80 + index }
    let day = try #require(
      DayTable(minutes, bouts: [], clock: StudyClock(undated: 0), StudyParameters()).days.first)
    #expect(day.peak1 == 119)
    // The mean of 90 to 119.
    #expect(day.peak30 == 104.5)
    #expect(day.bands.minutes == [680, 0, 0, 0, 0, 20, 20, 0])
    #expect(day.wear == 720)
    #expect(day.isValid)
  }

  @Test("times of a recorder in UTC are shown on the participant's clock")
  func recorderInUTC() throws {
    var summary = RecordingSummary()
    (summary.timestampsAreAbsolute, summary.isWallClock) = (true, true)
    let (home, utc) = (try #require(ZonePlan("Europe/London")), try #require(ZonePlan("UTC")))
    // The recorder shows 2026-07-01T09:00.
    let shown: Int64 = 1_782_896_400
    let clock = try #require(
      StudyClock(summary, firstTimestamp: shown * 1_000_000_000, zones: home, recorderZone: utc))
    #expect(clock.shift == 0)
    #expect(clock.text(of: shown) == "2026-07-01T10:00:00+01:00")
  }

  @Test("a recorder in local time keeps its offset when the clocks change")
  func recorderOnTheWall() throws {
    var summary = RecordingSummary()
    (summary.timestampsAreAbsolute, summary.isWallClock) = (true, true)
    let home = try #require(ZonePlan("Europe/Berlin"))
    // Set at 2026-10-24T12:00 local time, two hours ahead of UTC.
    let start: Int64 = 1_792_843_200
    let clock = try #require(
      StudyClock(summary, firstTimestamp: start * 1_000_000_000, zones: home, recorderZone: nil))
    #expect(clock.text(of: start - 7200) == "2026-10-24T12:00:00+02:00")
    // A day later it shows 12:00 when the local time is 11:00.
    #expect(clock.text(of: start - 7200 + 86_400) == "2026-10-25T11:00:00+01:00")
    // So it is if only that day is analysed.
    summary.recordingStart = start * 1_000_000_000
    let part = try #require(
      StudyClock(summary, firstTimestamp: (start + 86_400) * 1_000_000_000, zones: home, recorderZone: nil))
    #expect(part.shift == clock.shift && part.shift == -7_200_000_000_000)
  }
}
