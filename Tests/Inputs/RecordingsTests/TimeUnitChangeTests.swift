import Accelerometry
import Testing

@testable import Recordings

@Suite("Timestamps that change their unit", .timeLimit(.minutes(30)))
struct TimeUnitChangeTests {
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

  @Test("repeated changes are one warning, of the first, for a pipe and for a file")
  func backAndForth() {
    let text = Self.rows(from: Self.unixTime) { $0 / 500 % 2 == 0 ? .seconds : .milliseconds }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 97)] {
      expectWhole(read, from: Self.unixTime)
      #expect(read.warnings.count == 1 && read.warnings[0].contains("in line 501;"))
    }
  }

  @Test("a single wrong time is skipped, and a restarted clock changes no unit")
  func others() {
    let rows = Self.rows(from: Self.unixTime) { _ in .milliseconds }.split(separator: "\n")
    func read(_ odd: String, at place: Int) -> ReadRecording {
      ReadRecording((rows[..<place] + [Substring(odd)] + rows[place...]).joined(separator: "\n"))
    }
    for odd in ["0,0.1,-0.1,0.98", "99999999999999999999,0.1,-0.1,0.98"] {
      let read = read(odd, at: 500)
      #expect(read.samples.count == 2000 && !read.warnings.contains { $0.contains("timestamps change") })
    }
  }
}
