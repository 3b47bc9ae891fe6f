import Accelerometry
import Testing

@testable import Recordings
@testable import Studies

/// Complete tables of days, from samples and steps to text. The expected figures follow from the composition of each
/// recording.
@Suite("Tables of days", .timeLimit(.minutes(30)))
struct StudyTableTests {
  /// The state of the sensor for some hours.
  private enum Part {
    /// On a moving wrist, with this many evenly spaced steps in every minute.
    case worn(hours: Int, steps: Int)
    /// On a table.
    case off(hours: Int)
  }

  /// The table of a recording that begins at a time in UTC.
  private func table(
    from start: Int64, _ parts: [Part], zone: String?, recorder: String? = nil, isOnWall: Bool = false,
    _ parameters: StudyParameters = StudyParameters()
  ) throws -> String {
    var summary = RecordingSummary()
    (summary.timestampsAreAbsolute, summary.isWallClock) = (true, isOnWall)
    let (zones, recorderZone) = (zone.flatMap(ZonePlan.init), recorder.flatMap(ZonePlan.init))
    let clock = try #require(
      StudyClock(
        summary, firstTimestamp: start * 1_000_000_000, zones: zones, recorderZone: recorderZone))
    var motion = MotionTable(shift: clock.shift, includesMAD: false)
    var steps: [Int64] = []
    var time = start * 1_000_000_000
    for part in parts {
      var samples: [AccelerationSample] = []
      let (hours, perMinute, swing): (Int, Int, Float) =
        switch part {
        case .worn(let hours, let steps): (hours, steps, 0.25)
        case .off(let hours): (hours, 0, 0)
        }
      for index in 0..<hours * 3600 {
        let now = time + Int64(index) * 1_000_000_000
        // Magnitudes alternate between 1.25 g and 0.75 g: ENMO 125 mg.
        let z = 1 + (index % 2 == 0 ? swing : -swing)
        samples.append(AccelerationSample(nanoseconds: now, acceleration: SIMD3(z * 0.6, z * 0.8, 0)))
        if index % 60 == 0 {
          for step in 0..<perMinute {
            steps.append(now + clock.shift + Int64(step) * 60_000_000_000 / Int64(perMinute))
          }
        }
      }
      let isTaken = motion.take(samples.span)
      #expect(isTaken)
      time += Int64(hours) * 3_600_000_000_000
    }
    motion.finish()
    var result = StudyResult(clock: clock)
    result.minutes = StudyAnalysis.minutes(motion, steps)
    result.days = DayTable(result.minutes, bouts: [], steps: steps, clock: clock, parameters).days
    // Without the figures of other programs, which PublishedRulesTests checks.
    let columns = Self.heading.count { $0 == "," } + 1
    return result.daysTable.split(separator: "\n").map {
      $0.split(separator: ",").prefix(columns).joined(separator: ",") + "\n"
    }
    .joined()
  }

  private static let heading =
    "day,start,hours,wear_hours,valid,steps,walking_minutes,bouts,peak1_cadence,peak30_cadence,minutes_none,"
    + "minutes_incidental,minutes_sporadic,minutes_purposeful,minutes_slow,minutes_medium,minutes_brisk,minutes_fast,"
    + "enmo_mg\n"

  @Test("a week with two nights on the bedside table")
  func twoNights() throws {
    // 2026-05-04T06:00 in Berlin. The sensor is not worn in the third and the fifth night, from 22 to 6 o'clock: two
    // hours of one day, six of the next.
    let day = [Part.worn(hours: 2, steps: 100), .worn(hours: 14, steps: 5)]
    let (night, idle) = (Part.worn(hours: 8, steps: 0), Part.off(hours: 8))
    let parts =
      day + [night] + day + [night] + day + [idle] + day + [night] + day + [idle] + day + [night] + day + [night]
    let table = try table(from: 1_777_867_200, parts, zone: "Europe/Berlin")
    #expect(
      table == Self.heading + """
        2026-05-04,2026-05-04T06:00:00+02:00,18,18,1,16200,0,0,100,100,120,840,0,0,0,0,120,0,125
        2026-05-05,2026-05-05T00:00:00+02:00,24,24,1,16200,0,0,100,100,480,840,0,0,0,0,120,0,125
        2026-05-06,2026-05-06T00:00:00+02:00,24,22,1,16200,0,0,100,100,360,840,0,0,0,0,120,0,125
        2026-05-07,2026-05-07T00:00:00+02:00,24,18,1,16200,0,0,100,100,120,840,0,0,0,0,120,0,125
        2026-05-08,2026-05-08T00:00:00+02:00,24,22,1,16200,0,0,100,100,360,840,0,0,0,0,120,0,125
        2026-05-09,2026-05-09T00:00:00+02:00,24,18,1,16200,0,0,100,100,120,840,0,0,0,0,120,0,125
        2026-05-10,2026-05-10T00:00:00+02:00,24,24,1,16200,0,0,100,100,480,840,0,0,0,0,120,0,125
        2026-05-11,2026-05-11T00:00:00+02:00,6,6,0,0,0,0,0,0,360,0,0,0,0,0,0,0,125

        """)
  }

  @Test("days of 24, 25 and 24 hours when clocks go back, of 23 when they go forward")
  func clocks() throws {
    // 2026-10-24T00:00 and 2026-03-28T00:00 in Berlin, 10 steps in each minute.
    let autumn = try table(from: 1_792_792_800, [.worn(hours: 73, steps: 10)], zone: "Europe/Berlin")
    #expect(
      autumn == Self.heading + """
        2026-10-24,2026-10-24T00:00:00+02:00,24,24,1,14400,0,0,10,10,0,1440,0,0,0,0,0,0,125
        2026-10-25,2026-10-25T00:00:00+02:00,25,25,1,15000,0,0,10,10,0,1500,0,0,0,0,0,0,125
        2026-10-26,2026-10-26T00:00:00+01:00,24,24,1,14400,0,0,10,10,0,1440,0,0,0,0,0,0,125

        """)
    let spring = try table(from: 1_774_652_400, [.worn(hours: 71, steps: 10)], zone: "Europe/Berlin")
    #expect(
      spring == Self.heading + """
        2026-03-28,2026-03-28T00:00:00+01:00,24,24,1,14400,0,0,10,10,0,1440,0,0,0,0,0,0,125
        2026-03-29,2026-03-29T00:00:00+01:00,23,23,1,13800,0,0,10,10,0,1380,0,0,0,0,0,0,125
        2026-03-30,2026-03-30T00:00:00+02:00,24,24,1,14400,0,0,10,10,0,1440,0,0,0,0,0,0,125

        """)
  }

  @Test("times of a recorder in UTC are shown on the participant's clock")
  func recorderInUTC() throws {
    // It shows 2026-07-01T00:00, when the clocks in Auckland show noon.
    let table = try table(
      from: 1_782_864_000, [.worn(hours: 24, steps: 30)], zone: "Pacific/Auckland", recorder: "UTC", isOnWall: true)
    #expect(
      table == Self.heading + """
        2026-07-01,2026-07-01T12:00:00+12:00,12,12,1,21600,0,0,30,30,0,0,720,0,0,0,0,0,125
        2026-07-02,2026-07-02T00:00:00+12:00,12,12,1,21600,0,0,30,30,0,0,720,0,0,0,0,0,125

        """)
  }

  @Test("a participant who flies from Berlin to New York has a day of 30 hours, and of 18 on the way back")
  func flight() throws {
    let plan = "Europe/Berlin;2026-05-06T12:00:00Z=America/New_York;2026-05-08T16:00:00Z=Europe/Berlin"
    // 2026-05-06T00:00 in Berlin; four days there are 96 hours.
    let table = try table(from: 1_778_018_400, [.worn(hours: 96, steps: 50)], zone: plan)
    #expect(
      table == Self.heading + """
        2026-05-06,2026-05-06T00:00:00+02:00,30,30,1,90000,0,0,50,50,0,0,0,1800,0,0,0,0,125
        2026-05-07,2026-05-07T00:00:00-04:00,24,24,1,72000,0,0,50,50,0,0,0,1440,0,0,0,0,125
        2026-05-08,2026-05-08T00:00:00-04:00,18,18,1,54000,0,0,50,50,0,0,0,1080,0,0,0,0,125
        2026-05-09,2026-05-09T00:00:00+02:00,24,24,1,72000,0,0,50,50,0,0,0,1440,0,0,0,0,125

        """)
  }

  @Test("days begin at four and require twelve hours of wear")
  func dayStart() throws {
    var parameters = StudyParameters()
    (parameters.dayStart, parameters.validDay) = (240, 12)
    // 2026-05-06T00:00 in Berlin.
    let table = try table(
      from: 1_778_018_400, [.worn(hours: 15, steps: 70), .off(hours: 13)], zone: "Europe/Berlin", parameters)
    #expect(
      table == Self.heading + """
        2026-05-05,2026-05-06T00:00:00+02:00,4,4,0,16800,0,0,70,70,0,0,0,0,240,0,0,0,125
        2026-05-06,2026-05-06T04:00:00+02:00,24,11,0,46200,0,0,70,70,0,0,0,0,660,0,0,0,125

        """)
  }
}
