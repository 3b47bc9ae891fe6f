import Accelerometry
import Testing

@testable import Recordings

@Suite("Timestamps that change their unit", .timeLimit(.minutes(30)))
struct TimeUnitWatchTests {
  private static let units: [(TimestampFormat, Int64)] = [
    (.seconds, 1_000_000_000), (.milliseconds, 1_000_000), (.microseconds, 1000), (.nanoseconds, 1),
  ]

  /// A time in nanoseconds as text.
  private static func text(_ time: Int64, _ unit: TimestampFormat) -> String {
    let tick = units.first { $0.0 == unit }!.1
    let decimals = "\(1000 + time % tick / 1_000_000)".dropFirst()
    return tick == 1_000_000_000 ? "\(time / tick).\(decimals)" : "\(time / tick)"
  }

  /// 2000 rows at 50 Hz; `unit` gives the unit of a row's time.
  private static func rows(from start: Int64, _ unit: (Int) -> TimestampFormat) -> String {
    (0..<2000).map { row in
      "\(text(start + Int64(row) * 20_000_000, unit(row))),0.\(row % 7),-0.1,0.98\n"
    }.joined()
  }

  private func expectWhole(_ read: ReadRecording, from start: Int64, _ location: SourceLocation = #_sourceLocation) {
    #expect(read.error == nil, sourceLocation: location)
    #expect(
      read.nanoseconds == (0..<2000).map { start + Int64($0) * 20_000_000 }, "\(read.warnings)",
      sourceLocation: location)
    #expect(read.summary.gaps == 0 && read.summary.clockRestarts == 0, sourceLocation: location)
  }

  private static let unixTime: Int64 = 1_777_882_500_000_000_000

  @Test(
    "Unix time is read in the right unit in every row, with one warning, wherever it changes",
    arguments: [200, 1000, 1990], ["t,x,y,z\n", ""])
  func unixTimes(change: Int, header: String) {
    for (before, _) in Self.units {
      for (after, _) in Self.units where after != before {
        let read = ReadRecording(header + Self.rows(from: Self.unixTime) { $0 < change ? before : after })
        expectWhole(read, from: Self.unixTime)
        let line = change + (header.isEmpty ? 1 : 2)
        #expect(read.warnings.count == 1)
        #expect(read.warnings.first?.contains("from \(before.name) to \(after.name) in line \(line)") == true)
      }
    }
  }

  @Test("so are times since a start, once two rows agree", arguments: [300, 1990])
  func relativeTimes(change: Int) {
    for (before, after) in [
      (TimestampFormat.seconds, TimestampFormat.milliseconds), (.milliseconds, .seconds),
      (.milliseconds, .microseconds), (.microseconds, .milliseconds), (.seconds, .microseconds),
    ] {
      let read = ReadRecording("t,x,y,z\n" + Self.rows(from: 40_000_000) { $0 < change ? before : after })
      expectWhole(read, from: 40_000_000)
      #expect(read.warnings.count == 1 && read.warnings[0].hasPrefix("the timestamps change from \(before.name)"))
    }
  }

  @Test("repeated changes are counted in one warning, for a pipe and for a file")
  func backAndForth() {
    let text = Self.rows(from: Self.unixTime) { $0 / 500 % 2 == 0 ? .seconds : .milliseconds }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 97)] {
      expectWhole(read, from: Self.unixTime)
      #expect(read.warnings.count == 1 && read.warnings[0].contains("3 times in all"))
    }
  }

  @Test("a pause, a single wrong time and a clock change do not change the unit")
  func others() {
    let first = (0..<500).map { "\(Double($0) / 50),0.\($0 % 7),-0.1,0.98\n" }.joined()
    for (odd, samples) in [
      // As milliseconds, these would continue from 9.98 s.
      ("10000,0.1,-0.1,0.98\n", 1000), ("10.0,bad,0,1\n10000,0.1,-0.1,0.98\n", 1000), ("10003.5,0,0,1\n", 1000),
    ] {
      let rest = (501..<1001).map { "\(Double($0) / 50),0.\($0 % 7),-0.1,0.98\n" }.joined()
      let read = ReadRecording("t,x,y,z\n" + first + odd + rest)
      #expect(read.samples.count == samples && !read.warnings.contains { $0.hasPrefix(TimeUnitWatch.beginning) })
    }
    // After a pause of the same length, times continue in seconds.
    let later = (500..<1000).map { "\(9990.02 + Double($0) / 50),0.\($0 % 7),-0.1,0.98\n" }.joined()
    let paused = ReadRecording("t,x,y,z\n" + first + later)
    #expect(paused.samples.count == 1000 && paused.summary.gaps == 1 && paused.warnings == [])
  }
}
