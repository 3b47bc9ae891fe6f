import Accelerometry
import Testing

@testable import Recordings

@Suite("Exports as programs write them: each row is read, or it is said why not", .timeLimit(.minutes(30)))
struct ExportedLayoutTests: MovingSensor {

  /// A time of day with milliseconds.
  private func clock(_ row: Int, _ mark: String = ".") -> String {
    let seconds = row / 50
    let milliseconds = String(1000 + row % 50 * 20).dropFirst()
    return "10:0\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)\(mark)\(milliseconds)"
  }

  // MARK: - Blocks of several devices

  private func blocks(_ label: String, times: Bool = true) -> String {
    let names = times ? "Time (s),X (g),Y (g),Z (g)\n" : "X (g),Y (g),Z (g)\n"
    let time = { (number: Int) in times ? "\(seconds(number))," : "" }
    return table("\(label)left wrist\nFirmware: 1.4\n\(names)") { time($0) + row($0) }
      + table("\n\(label)right wrist\nFirmware: 1.5\n\(names)") { time($0) + row($0 + 7) }
      + table("\n\(label)left wrist\n\(names)", 10) { time($0 + 400) + row($0 + 400) }
  }

  @Test(
    "of blocks of rows under the names of devices, those of the first are read, and the others are named",
    arguments: ["Device: ", "# Sensor ID = ", "MAC;"])
  func blocksOfDevices(_ label: String) {
    let read = ReadRecording(blocks(label))
    #expect(read.samples == plain(410).samples)
    #expect(
      read.warnings.contains {
        $0.contains("only the rows of left wrist were used; 400 rows of other devices (right wrist)")
          && $0.contains("RecordingOptions.device")
      }, "\(read.warnings)")
    #expect(read.summary.clockRestarts == 0)
  }

  @Test("a block is chosen by the name of its device, and a wrong name is answered with the right ones")
  func chosenBlock() {
    var options = RecordingOptions()
    options.device = "Right Wrist"
    let read = ReadRecording(blocks("Device: "), options)
    #expect(
      read.samples == ReadRecording(table("Time (s),X (g),Y (g),Z (g)\n") { "\(seconds($0)),\(row($0 + 7))" }).samples)
    options.device = "ankle"
    let none = ReadRecording(blocks("Device: "), options)
    #expect(none.error?.code == .unknownDevice && none.error?.names == ["left wrist", "right wrist"])
  }

  @Test("blocks without times are told apart, too")
  func untimedBlocks() {
    let read = ReadRecording(
      blocks("Device: ", times: false), RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(read.samples.map(\.acceleration) == plain(410).samples.map(\.acceleration))
  }

  @Test("a message that looks like the name of a device does not end its rows if the times continue")
  func messages() {
    let text =
      table("sensor: starting\ntime,x,y,z\n") { "\(seconds($0)),\(row($0))" + ($0 == 200 ? "\nsensor: ready" : "") }
    #expect(ReadRecording(text).samples == plain().samples)
  }

  @Test("a message behind which there is a pause, or which stands between rows without times, begins no block")
  func laterMessages() {
    let paused = table("sensor: starting\ntime,x,y,z\n") {
      "\(seconds($0 < 200 ? $0 : $0 + 200)),\(row($0))" + ($0 == 199 ? "\nsensor: overflow" : "")
    }
    let untimed = table("sensor: starting\nx,y,z\n") { row($0) + ($0 == 199 ? "\nsensor: overflow" : "") }
    let rate = RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50))
    for read in [ReadRecording(paused), ReadRecording(untimed, rate)] {
      #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
    }
  }

  // MARK: - Rows that are no samples

  @Test(
    "a column that counts rows in hexadecimal, or beside a comment on missing rows, loses none", arguments: ["", "0"])
  func hexadecimalCounter(_ zeros: String) {
    let read = ReadRecording(
      table("seq,time,x,y,z\n") {
        "\($0 < 16 ? zeros : "")\(String($0, radix: 16)),\(seconds($0)),\(row($0))"
          + ($0 == 200 ? "\n# no more rows were lost; 12 invalid rows omitted" : "")
      })
    #expect(read.samples == plain().samples)
  }

  @Test(
    "rows of averages below a table are no samples",
    arguments: ["Sample,Time (s),X (g),Y (g),Z (g)", "Sample,X (g),Y (g),Z (g)"])
  func averages(_ names: String) {
    let hasTime = names.contains("Time")
    let line = { (label: String, number: Int) in "\(label),\(hasTime ? "\(seconds(number))," : "")\(row(number))" }
    let rate = hasTime ? nil : SamplingFrequency(hertz: 50)
    let below = "\n" + line("Average", 200) + "\n" + line("Min", 0) + "\n" + line("Max", 399) + "\n"
    let read = ReadRecording(
      table(names + "\n") { line("\($0 + 1)", $0) } + below, RecordingOptions(samplingFrequency: rate))
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
    #expect(read.summary.skipped[.notNumbers]?.count == 3)
  }

  // MARK: - Times

  private static let day = 86_400.0

  @Test(
    "times of MATLAB, of astronomy, of .NET, of Windows and of browsers are read",
    arguments: [
      ("datenum", TimestampFormat.datenum), ("jd", .julianDays), ("Ticks", .ticks), ("FileTime", .fileTime),
      ("visit_time", .microsecondsSince1601),
    ])
  func calendars(_ name: String, _ format: TimestampFormat) {
    let milliseconds = { (number: Int) in Int64(1_700_000_000_000) + Int64(number) * 20 }
    let read = ReadRecording(
      table("\(name),x,y,z\n") { number in
        let time = milliseconds(number)
        // 1970-01-01 is so many days after the beginning.
        let text =
          switch format {
          case .datenum: Self.days(time, after: 719_529_0)
          case .julianDays: Self.days(time, after: 2_440_587_5)
          case .ticks: "\(time * 10_000 + 621_355_968_000_000_000)"
          case .fileTime: "\(time * 10_000 + 116_444_736_000_000_000)"
          default: "\(time * 1000 + 11_644_473_600_000_000)"
          }
        return "\(text),\(row(number))"
      })
    #expect(read.error == nil, "\(read.error?.message ?? "")")
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
    #expect(read.summary.timestampFormat == format && read.summary.timestampsAreAbsolute)
    #expect(read.nanoseconds.enumerated().allSatisfy { abs($1 - milliseconds($0) * 1_000_000) < 50_000 })
  }

  /// Days with ten decimals.
  private static func days(_ milliseconds: Int64, after tenths: Int64) -> String {
    let parts = tenths * 1_000_000_000 + (milliseconds * 1_000_000 + 4320) / 8640
    return "\(parts / 10_000_000_000)." + String(10_000_000_000 + parts % 10_000_000_000).dropFirst()
  }

  @Test(
    "dates as JavaScript, Java, mail and 'date' write them are read with their zone",
    arguments: [
      ("Tue Nov 14 2023 23:13:20 GMT+0100 (Central European Standard Time)", 3600),
      ("Tue Nov 14 2023 23:13:20 GMT+0100", 3600), ("Tue, 14 Nov 2023 22:13:20 GMT", 0),
      ("Tue, 14 Nov 2023 17:13:20 -0500", -18_000), ("Tue Nov 14 22:13:20 UTC 2023", 0),
      ("Nov 14, 2023 @ 22:13:20.000", nil), ("Nov 14, 2023, 10:13:20 PM", nil),
      ("Tue Nov 14 22:13:20 CET 2023", nil), ("2023-11-14 23:13:20 GMT+01:00", 3600),
    ] as [(String, Int?)])
  func namedDays(_ text: String, _ offset: Int?) {
    let bytes = Array(text.utf8)
    #expect(DateTimeText.parseDateAndTime(bytes.span, bytes.indices) == 1_700_000_000_000_000_000)
    #expect(DateTimeText.parseMoment(bytes.span, bytes.indices)?.offset == offset)
  }

  // MARK: - Text around the numbers

  @Test("the serial monitor's time in front of labelled lines of several sensors is read")
  func serialMonitor() {
    let text = table("10:00:00.000 -> Accelerometer range set to: +-8G\n10:00:00.000 -> \n") { number in
      let values = axes(number, 9.80665)
      return """
        \(clock(number)) -> Acceleration X: \(values[0]), Y: \(values[1]), Z: \(values[2]) m/s^2
        \(clock(number)) -> Rotation X: 0.1\(number % 9), Y: 0.02, Z: -0.3 rad/s
        \(clock(number)) -> Temperature: 36.5 degC
        \(clock(number)) ->\u{20}
        """
    }
    let read = ReadRecording(text)
    #expect(read.error == nil, "\(read.error?.message ?? "")")
    #expect(read.samples.count == 400 && times(read) == times(plain()))
    #expect(read.summary.rowsSkipped == 0)
  }

  @Test("constants of C are numbers", arguments: ["f", "F"])
  func constants(_ suffix: String) {
    let text =
      table("#pragma once\n\nstatic const float data[400][3] = {\n") {
        "    { \(axes($0).map { $0 + suffix }.joined(separator: ", ")) },"
      } + "};\nstatic const size_t length = 400;\n"
    let read = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
  }

  @Test(
    "lines of a log with a level behind the time are read, and those of other loggers are not",
    arguments: [
      ("2026-05-04 TIME,MS - INFO - ", ",", ""), ("2026-05-04 TIME.MS | INFO     | imu:read:12 - ", ",", ""),
      ("[2026-05-04 TIME.MS] [imu] [info] ", " ", ""), ("2026-05-04 TIME,MS DEBUG [main] com.acme.Imu - ", "; ", ""),
      ("TIME.MS INFO ", ", ", "xyz"),
    ])
  func levels(_ prefix: String, _ separator: String, _ names: String) {
    let text = table("") { number in
      let time = clock(number, ".").split(separator: ".")
      let start = prefix.replacing("TIME", with: time[0]).replacing("MS", with: time[1])
      let values = zip(["x=", "y=", "z="], axes(number)).map { (names.isEmpty ? "" : $0) + $1 }
      let other = start.replacing("INFO", with: "WARNING").replacing("info", with: "warning").replacing(
        "DEBUG", with: "WARN")
      return start + values.joined(separator: separator) + (number % 50 == 0 ? "\n\(other)queue is long" : "")
    }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()))
  }

  @Test("threads, levels and processes of a log change, and signs and the first of two lists stay")
  func changingPrefixes() {
    let text = table("") { number in
      let clock = clock(number, ",").split(separator: " ").last ?? ""
      let level = number % 3 == 0 ? "WARNING" : "INFO"
      let values = axes(number).map { $0.hasPrefix("-") ? String($0.dropFirst()) : "-\($0)" }.joined(separator: ", ")
      return
        "2026-05-06 \(clock) [pool-1-thread-\(number % 4)] \(level) \(100 + number / 200) imu - [\(values)] [1.2, 0.3, 0.1]"
    }
    let read = ReadRecording(text)
    #expect(
      read.samples.map(\.acceleration) == plain().samples.map { -$0.acceleration }, "\(read.error?.message ?? "")")
  }

  @Test("times of pandas in days and a time of day are read, in a printed table and in CSV", arguments: [true, false])
  func timedeltas(_ isPrinted: Bool) {
    let text =
      isPrinted
      ? table("                          t      x      y      z\n") {
        "\($0)   0 days 00:00:0\(seconds($0))0000  \(row($0, "  "))"
      } : table(",t,x,y,z\n") { "\($0),\($0 == 0 ? "0 days" : "1 day") 00:00:0\(seconds($0)),\(row($0))" }
    let read = ReadRecording(text)
    let samples = plain().samples
    #expect(read.samples.suffix(399).map(\.acceleration) == samples.suffix(399).map(\.acceleration))
    #expect(read.nanoseconds.last.map { $0 - read.nanoseconds[1] } == samples[399].nanoseconds - samples[1].nanoseconds)
  }

  @Test("times and numbers that Python prints as objects are read", arguments: [0, 1, 2, 3])
  func pythonObjects(_ form: Int) {
    let text = table("") { number in
      let (second, microsecond) = (number / 50, number % 50 * 20_000)
      let values = axes(number)
      return switch form {
      case 0:
        "(datetime.datetime(2026, 5, 6, 10, 11\(second + microsecond == 0 ? "" : ", \(second)")\(microsecond == 0 ? "" : ", \(microsecond)")), \(values.joined(separator: ", ")))"
      case 1: "[\(seconds(number)), \(values.map { "np.float64(\($0))" }.joined(separator: ", "))]"
      case 2:
        "[Timestamp('2026-05-06 10:11:0\(seconds(number))', tz='UTC'), \(values.map { "Decimal('\($0)')" }.joined(separator: ", "))]"
      default:
        "{'t': datetime.datetime(2026, 5, 6, 10, 11, \(second), \(microsecond), tzinfo=datetime.timezone.utc), 'x': \(values[0]), 'y': \(values[1]), 'z': \(values[2])}"
      }
    }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()))
  }

  @Test(
    "numbers with their unit in each cell are read in that unit", arguments: ["Time,X,Y,Z\n", "", "Time (ms),X,Y,Z\n"])
  func unitsInCells(_ names: String) {
    let read = ReadRecording(
      table(names) { "\($0 * 20) ms,\(axes($0, 9.80665).map { $0 + " m/s²" }.joined(separator: ","))" })
    #expect(read.error == nil, "\(read.error?.message ?? "")")
    #expect(read.samples.count == 400 && read.summary.unit == .metresPerSecondSquared)
    #expect(times(read) == times(plain()))
  }

  @Test(
    "a clock in front of numbers with units is the time, without any names",
    arguments: ["2026-05-06 10:11:", "2026-05-06,10:11:", "10:11:"])
  func clockBeforeUnits(_ clock: String) {
    let read = ReadRecording(
      table("") { "\(clock)0\(seconds($0)),\(axes($0).map { $0 + " g" }.joined(separator: ","))" })
    #expect(read.error == nil, "\(read.error?.message ?? "")")
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
    #expect(times(read) == times(plain()))
  }

  @Test("a cell with another unit than its column is not read as if it had that")
  func otherUnitInCell() {
    let read = ReadRecording(
      table("Time,X,Y,Z\n") { number in
        let values = axes(number)
        return "\(number * 20) ms,\(values[0]) g,\(values[1]) g,\(number == 9 ? "950 mg" : values[2] + " g")"
      })
    #expect(read.samples.count == 399 && read.summary.skipped[.notNumbers]?.firstLine == 11)
  }

  @Test(
    "an SQL dump is named", arguments: ["-- MySQL dump 10.13\n", "CREATE TABLE accel (ts real, x real);\n"])
  func dumps(_ start: String) {
    let read = ReadRecording(table(start) { "INSERT INTO accel VALUES (\(seconds($0)), \(row($0, ", ")));" })
    #expect(read.error?.message.hasSuffix("is an SQL dump; export the table as CSV first") == true)
  }

  @Test("a JSON document that is one object of more than 10 MB is refused with what to write instead")
  func longObject() {
    let values = Array(repeating: "0.125", count: 1_700_000).joined(separator: ",")
    let message = ReadRecording("{\"t\":[\(values)]}").error?.message
    #expect(
      message?.hasSuffix(": is one JSON value of more than 10 MB; write one object per line, or CSV") == true,
      "\(message ?? "")")
  }
}
