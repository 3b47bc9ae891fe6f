import Accelerometry
import Testing

@testable import Recordings

@Suite("Times and columns as programs of other countries and habits write them", .timeLimit(.minutes(30)))
struct DatedLayoutTests: MovingSensor {
  /// The time of day of a row at 50 Hz from 11:59:58 on.
  private func clock(_ row: Int) -> (hour: Int, minute: Int, rest: String) {
    let second = 11 * 3600 + 59 * 60 + 58 + row / 50
    let milliseconds = row % 50 * 20
    let pad = { (number: Int, width: Int) in String(repeating: "0", count: width - "\(number)".count) + "\(number)" }
    return (
      second / 3600, second / 60 % 60, "\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2)).\(pad(milliseconds, 3))"
    )
  }

  private func expectPlain(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let read = ReadRecording(text)
    #expect(read.error == nil, sourceLocation: sourceLocation)
    #expect(
      read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), sourceLocation: sourceLocation)
    #expect(times(read) == times(plain()), sourceLocation: sourceLocation)
  }

  @Test(
    "the half of the day may stand in front of the time, in Korean, Chinese and Japanese",
    arguments: [
      ("2026. 5. 4. 오전 ", "2026. 5. 4. 오후 "), ("2026/5/4 上午", "2026/5/4 下午"), ("2026/5/4 午前", "2026/5/4 午後"),
    ])
  func halfInFront(_ morning: String, _ afternoon: String) {
    expectPlain(
      table("time\tx\ty\tz\n") { index in
        let (hour, _, rest) = clock(index)
        return "\(hour < 12 ? morning : afternoon)\(hour):\(rest)\t\(row(index, "\t"))"
      })
  }

  @Test("noon and midnight of a time with its half in front are twelve and zero")
  func noon() {
    let start = { (time: String) in
      ReadRecording(table("time,x,y,z\n") { "2026/5/4 \(time):0\($0 / 50).\($0 % 50 * 2 + 10),\(row($0))" })
        .nanoseconds.first.map { $0 / 60_000_000_000 % 1440 }
    }
    #expect(start("上午12:00") == 0)
    #expect(start("下午12:00") == 720)
    #expect(start("下午2:07") == 847)
  }

  @Test(
    "blanks may stand in a date with dots, and months and days have one digit",
    arguments: ["4. 5. 2026, ", "2026/5/4 "])
  func spacedDate(_ date: String) {
    expectPlain(
      table("time;x;y;z\n") { "\(date)\(clock($0).hour):\(clock($0).rest);\(row($0, ";"))" })
  }

  @Test("lines of a log go on when the name of the zone changes with the clocks")
  func zoneChanges() {
    let read = ReadRecording(
      table("", 400) { index in
        let (isLater, part) = (index >= 200, index % 200)
        let time = isLater ? "01:00:0\(part / 50)" : "01:59:5\(6 + part / 50)"
        return
          "2026-10-25 \(time).\(part % 50 * 2 + 100) \(isLater ? "GMT" : "BST") x=\(axes(index)[0]) y=\(axes(index)[1])"
          + " z=\(axes(index)[2]) g"
      })
    #expect(read.samples.count == 400, "\(read.error?.message ?? "") \(read.warnings)")
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
    #expect(zip(read.nanoseconds, read.nanoseconds.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("a colon between a date with a time and a message is no part of the time")
  func colonBehindTime() {
    let read = ReadRecording(
      table("", 400) { index in
        let time = "2026-05-04 08:15:0\(index / 50).\(index % 50 < 5 ? "0" : "")\(index % 50 * 2)"
        let axes = axes(index, 1000)
        return index % 5 == 4
          ? "\(time): ATTITUDE {roll : 0.\(index), pitch : -0.02, yaw : 1.5}"
          : "\(time): RAW_IMU {time_usec : \(index * 20_000), xacc : \(axes[0]), yacc : \(axes[1]), zacc : \(axes[2]), xgyro : 1}"
      })
    #expect(read.samples.count == 320, "\(read.error?.message ?? "")")
  }

  @Test("a zone whose name means several is not guessed")
  func ambiguousZone() {
    for (name, offset) in [("CEST", 120), ("EDT", -240), ("NZDT", 780)] {
      #expect(DateTimeText.zones[name] == offset)
    }
    for name in ["CST", "CDT", "IST", "XYZ"] { #expect(DateTimeText.zones[name] == nil) }
  }

  @Test("lines of the same quantity under another name are said, not dropped silently")
  func otherNames() {
    let read = ReadRecording(
      table("", 400) { index in
        "\(index % 4 == 3 ? "right" : "left") t_ms=\(index * 20) accx=\(axes(index)[0]) accy=\(axes(index)[1])"
          + " accz=\(axes(index)[2])"
      })
    #expect(read.samples.count == 300)
    #expect(read.warnings.contains { $0.contains("100 lines") }, "\(read.warnings)")
  }

  @Test("midnight, of which a spreadsheet leaves out the time of day, is a time")
  func bareMidnight() {
    let read = ReadRecording(
      table("Now,x,y,z\n", 400) { index in
        let second = index / 50 - 4
        let time =
          second < 0 ? "5/4/2026 11:59:\(60 + second) PM" : second == 0 ? "5/5/2026" : "5/5/2026 12:00:0\(second) AM"
        return "\(time),\(row(index))"
      })
    #expect(read.samples.count == 400, "\(read.error?.message ?? "") \(read.warnings)")
    #expect(
      read.nanoseconds.last.map { $0 - read.nanoseconds[0] }.map { abs($0 - 7_980_000_000) < 100_000_000 } == true)
  }

  @Test("a cut date is no midnight, and a version no date")
  func noMidnight() {
    let rows = table("x,y,z,time\n", 100) { "\(row($0)),2026-05-04 08:15:0\(seconds($0))" }
    let cut = ReadRecording(String(rows.dropLast(14)))
    #expect(cut.samples.count == 99)
    #expect(cut.summary.skipped[.lastLineCutShort]?.count == 1, "\(cut.warnings)")
    let version = ReadRecording(table("version,time_ms,x,y,z\n") { "2026.5.4,\($0 * 20),\(row($0))" })
    #expect(times(version) == times(plain()), "\(version.error?.message ?? "")")
  }

  @Test("a zone behind a time of day without a date is no part of it")
  func zoneOfTimeOfDay() {
    let read = ReadRecording(
      table("", 400) { index in
        let axes = axes(index)
        return "08:15:0\(seconds(index)) CET x=\(axes[0]) y=\(axes[1]) z=\(axes[2])"
      })
    #expect(times(read) == times(plain()), "\(read.error?.message ?? "")")
  }

  @Test("a temperature and a charge are no times")
  func noTimes() {
    for name in ["T0", "charge_now"] {
      let read = ReadRecording(table("\(name),time_ms,x,y,z\n") { "\(21_000 + $0 / 3),\($0 * 20),\(row($0))" })
      #expect(times(read) == times(plain()), "\(name): \(read.error?.message ?? "")")
    }
  }

  @Test("two numbers that look like a day and its part are no time beside another one")
  func noSerialDate() {
    let read = ReadRecording(
      table("id,drift,t_ms,x,y,z\n") { "46146,\(0.5 + Double($0) / 1e7),\($0 * 20),\(row($0))" })
    #expect(times(read) == times(plain()), "\(read.error?.message ?? "")")
  }

  @Test("rows of another sensor, which have no time, are left out")
  func rowsOfOthers() {
    for count in [2, 3] {
      let read = ReadRecording(
        table("t_ms,x,y,z\n", 400 * count) {
          $0 % count == 0 ? "\($0 / count * 20),\(row($0 / count))" : ",\(turn($0))"
        })
      #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.warnings)")
    }
  }

  @Test("a time that only the first sample of a batch has is that of the batch")
  func timeOfBatch() {
    let text = table("t_ms,x,y,z\n", 800) { "\($0 % 20 == 0 ? "\(3120 + $0 * 20)" : ""),\(row($0))" }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 977)] {
      #expect(read.samples.count == 800, "\(read.error?.message ?? "") \(read.warnings)")
      // The last batch has no next time.
      #expect(zip(times(read).dropLast(20), times(plain(800))).allSatisfy { abs($0 - $1) <= 1_000_000 })
      #expect(read.warnings.contains { $0.contains("share each time") }, "\(read.warnings)")
    }
  }

  @Test("a FIT file's table of messages is refused by name")
  func fitTable() {
    let read = ReadRecording(
      "Type,Local Number,Message,Field 1,Value 1,Units 1,Field 2,Value 2,Units 2,Field 3,Value 3,Units 3,\n"
        + table("", 40) { _ in
          "Data,3,accelerometer_data,timestamp,\"1146816900\",s,timestamp_ms,\"0\",ms,sample_time_offset,\"0|20|40\",ms,"
            + ["x", "y", "z"].map { "calibrated_accel_\($0),\"0.1|0.2|1.1\",g," }.joined()
        })
    #expect(read.samples.isEmpty)
    #expect(
      read.error?.message.hasSuffix("(FitCSVTool); write each sample in its own row, as t,x,y,z") == true,
      "\(read.error?.message ?? "")")
  }

  @Test("a row without its time among rows that have one is left out")
  func timeMissing() {
    let read = ReadRecording(table("t_ms,x,y,z\n") { "\($0 % 20 == 19 ? "" : "\($0 * 20)"),\(row($0))" })
    #expect(read.samples.count == 380)
  }

  @Test("gravity in the columns that are named as the gyroscope's shows that names are exchanged")
  func exchangedNames() {
    let rows = 400
    let read = ReadRecording(
      table("t_ms,gx_dps,gy_dps,gz_dps,ax_g,ay_g,az_g\n", rows) { "\($0 * 20),\(row($0)),\(turn($0))" })
    #expect(read.samples.map(\.acceleration) == plain(rows).samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(read.warnings.contains { $0.contains("names are exchanged") }, "\(read.warnings)")
    let right = ReadRecording(
      table("t_ms,gx_dps,gy_dps,gz_dps,ax_g,ay_g,az_g\n", rows) { "\($0 * 20),\(turn($0)),\(row($0))" })
    #expect(right.samples.map(\.acceleration) == plain(rows).samples.map(\.acceleration))
    #expect(right.warnings == [])
  }

  @Test(
    "names are not exchanged where the accelerometer's columns are counts, or without gravity",
    arguments: [16_384.0, 64, 0])
  func notExchanged(_ countsPerG: Double) {
    let read = ReadRecording(
      table("t_ms,gx,gy,gz,ax,ay,az\n", 800) { index in
        let axes = axes(index).enumerated().map { axis, text in
          let value = Double(text) ?? 0
          return countsPerG > 0
            ? "\(Int((value * countsPerG).rounded()))" : "\(value - (axis == 2 ? 0.95 : axis == 0 ? 0.14 : -0.14))"
        }
        // A bias that is as long as one g in a common unit, and motion.
        return
          "\(index * 20),\(0.9 + Double(index % 61 - 30) / 20),\(Double(index % 17 - 8) / 9),0.2,\(axes.joined(separator: ","))"
      })
    #expect(!read.samples.isEmpty)
    #expect(!read.warnings.contains { $0.contains("exchanged") }, "\(read.warnings)")
  }

  @Test("a unit of turns or fields in a name shows that it is no acceleration", arguments: ["dps", "mdps", "rads"])
  func unitOfOthers(_ unit: String) {
    let read = ReadRecording(table("t_ms,x_\(unit),y_\(unit),z_\(unit)\n") { "\($0 * 20),\(turn($0))" })
    #expect(read.samples.isEmpty)
    #expect(read.error?.kind == .badData)
  }

  @Test("numbers grouped as in India and in Python are read", arguments: ["in", "_"])
  func grouped(_ style: String) {
    let group = { (number: Int) -> String in
      let digits = "\(abs(number))"
      guard digits.count > 3 else { return "\(number)" }
      var (head, groups) = (String(digits.dropLast(3)), [String(digits.suffix(3))])
      let width = style == "in" ? 2 : 3
      while !head.isEmpty {
        groups.insert(String(head.suffix(width)), at: 0)
        head = String(head.dropLast(width))
      }
      let text = (number < 0 ? "-" : "") + groups.joined(separator: style == "in" ? "," : "_")
      return style == "in" ? "\"\(text)\"" : text
    }
    let rows = { (write: (Int) -> String) in
      table("time_us,x,y,z\n") { index in
        ([1_020_000 + index * 20_000] + axes(index, 16_384).map { Int((Double($0) ?? 0).rounded()) }).map(write)
          .joined(separator: ",")
      }
    }
    let (read, expected) = (ReadRecording(rows(group)), ReadRecording(rows { "\($0)" }))
    #expect(expected.samples.count == 400)
    #expect(read.samples == expected.samples, "\(read.error?.message ?? "") \(read.warnings)")
    #expect(read.warnings.contains { $0.contains("thousands") }, "\(read.warnings)")
  }

  @Test(
    "the interval above rows without times is their rate",
    arguments: ["Interval=\t0.02 s\nChannelTitle=\tAcc X\tAcc Y\tAcc Z\n", "sampling every 20 ms, values in g\n"])
  func statedInterval(_ head: String) {
    let isTuple = head.hasPrefix("sampling")
    expectPlain(
      (head + table("") { isTuple ? "(\(row($0, ", ")))" : row($0, "\t") }).replacing("\n", with: "\r\n"))
  }

  @Test("failed reads that were scaled before they were written are left out")
  func scaledFailure() {
    let read = ReadRecording(
      table("t_ms,x_ms2,y_ms2,z_ms2\n") { index in
        "\(index * 20),\(index % 40 > 37 ? "-0.04,-0.04,-0.04" : axes(index, 9.80665).joined(separator: ","))"
      })
    #expect(read.samples.count == 380)
    #expect(read.summary.skipped[.failedRead]?.count == 20, "\(read.warnings)")
  }

  @Test("of columns without names, several sensors with gravity are said")
  func severalWithGravity() {
    let read = ReadRecording(table("", 800) { "\($0 * 20) \(row($0, " ")) \(row($0 + 7, " ")) \(row($0 + 11, " "))" })
    #expect(read.samples.map(\.acceleration) == plain(800).samples.map(\.acceleration))
    #expect(read.warnings.contains { $0.contains("3 threes") }, "\(read.warnings)")
  }
}
