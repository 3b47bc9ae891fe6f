import Accelerometry
import Foundation
import Testing

@testable import Recordings

@Suite("Unforeseen layouts are read, or refused with a remedy", .timeLimit(.minutes(30)))
struct UnforeseenLayoutTests: MovingSensor {
  @Test("a comma before a blank ends a number, also where a time stands in front of a mark")
  func commasBeforeBlanks() {
    let read = ReadRecording(
      table("--- Terminal on /dev/ttyUSB0 | 115200 8-N-1\n") { "10:11:0\(seconds($0)) > \(row($0, ", "))" })
    #expect(read.error == nil)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
  }

  @Test("a row of groups above the names tells the sensors apart", arguments: [",", ";"])
  func twoHeaders(_ separator: String) {
    let text = table(",Gyroscope,,,Accelerometer,,\nTime,X,Y,Z,X,Y,Z\n") { "\(seconds($0)),\(turn($0)),\(row($0))" }
    let read = ReadRecording(text.replacing(",", with: separator))
    #expect(read.error == nil)
    #expect(read.samples == plain().samples)
  }

  @Test("groups that are repeated above the names tell the sensors apart, as pandas writes them")
  func repeatedGroups() {
    let text = table("time,gyr,gyr,gyr,acc,acc,acc\n,x,y,z,x,y,z\n") { "\(seconds($0)),\(turn($0)),\(row($0))" }
    #expect(ReadRecording(text).samples == plain().samples)
  }

  @Test("messages of ROS 1 are read")
  func messages() {
    let text = table("") { number in
      let values = axes(number)
      return """
        header: \n  seq: \(number)\n  stamp: \n    secs: \(1_700_000_000 + number / 50)\n    nsecs: \(number % 50 * 20_000_000)
        angular_velocity: \n  x: 0.1\n  y: 0.2\n  z: 0.3
        linear_acceleration: \n  x: \(values[0])\n  y: \(values[1])\n  z: \(values[2])\n---
        """
    }
    let read = ReadRecording(text)
    #expect(read.samples.count == 400 && read.summary.span == .milliseconds(399 * 20))
  }

  @Test("of several columns of times, the one in front of the axes is theirs")
  func timesOfChannels() {
    let text = table("X[s],EMG [V],X[s],ACC X [g],X[s],ACC Y [g],X[s],ACC Z [g]\n", 1600) { number in
      let values = axes(number).map { "\(seconds(number)),\($0)" }.joined(separator: ",")
      return "\(Double(number) / 200),0.\(number % 9),\(number < 400 ? values : ",,,,,")"
    }
    let read = ReadRecording(text)
    #expect(read.samples == plain().samples)
  }

  @Test(
    "three columns whose unit is something a second are no accelerometer", arguments: ["\u{FFFD}/s", "deg/s", "m/s"])
  func turns(_ unit: String) {
    let text = table("time,pX(\(unit)),pY(\(unit)),pZ(\(unit)),kX(g),kY(g),kZ(g)\n") {
      "\(seconds($0)),\(turn($0)),\(row($0))"
    }
    #expect(ReadRecording(text).samples == plain().samples)
  }

  @Test("m/s/s is an acceleration") func perSecondPerSecond() {
    #expect(ColumnName("ax_m/s/s").role == .axis(.x, .acceleration, sensor: "a"))
    #expect(ColumnName("Acceleration x (m/s/s)").unit == .metresPerSecondSquared)
    #expect(ColumnName("Acceleration x (m/s)").role == .foreign)
  }

  @Test(
    "Gal, feet and millionths of g in a name are the unit",
    arguments: [("Gal", 980.665), ("ft/s^2", 32.174), ("µg", 1e6)])
  func rareUnits(_ unit: String, _ factor: Double) {
    let read = ReadRecording(
      table("time,x (\(unit)),y (\(unit)),z (\(unit))\n") {
        "\(seconds($0)),\(axes($0, factor).joined(separator: ","))"
      })
    #expect(read.error == nil)
    #expect(read.warnings.isEmpty, "\(read.warnings)")
    #expect(abs((read.samples.first?.acceleration.z ?? 0) - 0.9) < 0.001)
  }

  @Test(
    "an unknown unit of the times is refused, and a sampling frequency replaces these", arguments: ["s/256", "h:m:s:f"])
  func unknownUnitOfTime(_ unit: String) {
    let text = table("time [\(unit)],x,y,z\n") {
      (unit == "s/256" ? "\(Double($0) * 5.12)" : "00:00:0\($0 / 50):\($0 % 50)") + ",\(row($0))"
    }
    let read = ReadRecording(text)
    #expect(read.error?.code == .ambiguousTimes)
    #expect(read.error?.message.contains("'\(unit)'") == true)
    let rated = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(rated.samples == plain().samples)
  }

  @Test("times in ticks are left to the stated sampling frequency, and said")
  func ticks() {
    let read = ReadRecording(
      table("// Update Rate: 50.0Hz\nPacketCounter\tSampleTimeFine\tAcc_X\tAcc_Y\tAcc_Z\n") {
        "\(12_000 + $0)\t\(3_344_510 + $0 * 200)\t\(row($0, "\t"))"
      })
    #expect(read.samples.count == 400 && read.summary.span == .milliseconds(399 * 20))
    #expect(read.warnings.contains { $0.contains("stated in line 1") }, "\(read.warnings)")
  }

  @Test("times that agree with the stated sampling frequency are used")
  func agreeingTimes() {
    let text = table("// Update Rate: 52 Hz\ntime,x,y,z\n") { "\($0 * 20 + $0 / 200 * 3000),\(row($0))" }
    let read = ReadRecording(text)
    #expect(read.summary.gaps == 1)
    #expect(read.warnings.isEmpty, "\(read.warnings)")
  }

  @Test(
    "times at which people can be counted are used, whatever frequency is stated, and said",
    arguments: [("500", "ms", 20.0), ("5", "s", 0.02), ("500", "s", 0.02)])
  func plausibleTimes(_ stated: String, _ unit: String, _ period: Double) {
    let read = ReadRecording(table("# Sample rate: \(stated) Hz\ntime,x,y,z\n") { "\(Double($0) * period),\(row($0))" })
    #expect(read.summary.span == .milliseconds(399 * 20), "\(unit)")
    #expect(read.warnings.contains { $0.contains("states \(stated) Hz") }, "\(read.warnings)")
    #expect(!read.warnings.contains { $0.contains("no timestamps") })
  }

  @Test("columns of several samples are no columns of one")
  func severalSamples() {
    let read = ReadRecording(
      table("time_ms,x0,y0,z0,x1,y1,z1,x2,y2,z2\n") { "\($0 * 60),\(row($0)),\(row($0 + 1)),\(row($0 + 2))" })
    #expect(read.error?.message.contains("names the axes 3 times") == true, "\(read.samples.count)")
  }

  @Test("a gyroscope that turns slowly in front of the accelerometer is not it")
  func slowTurn() {
    let text = table("", 1200) { number in
      // Two seconds each at another speed, about one unit long.
      let turn = "\(["0.80", "1.00", "1.25"][number / 100 % 3]),0.\(number % 5)5,0.\(number % 3)2"
      return "\(seconds(number)),\(turn),\(axes(number, 9.80665).joined(separator: ","))"
    }
    #expect(
      ReadRecording(text).samples == ReadRecording(text, RecordingOptions(columns: ["1", "5", "6", "7"])).samples)
  }

  @Test("the time of the week is a time") func timeOfWeek() {
    let read = ReadRecording(
      table("GPSWeek,TOW(ms),AccX(g),AccY(g),AccZ(g)\n") { "2304,\(208_818_000 + $0 * 20),\(row($0))" })
    #expect(read.samples.count == 400 && read.summary.span == .milliseconds(399 * 20))
  }

  @Test("the octal addresses of od are no times")
  func addresses() {
    let text = table("") { number in
      let address = String(number * 6, radix: 8)
      return String(repeating: "0", count: 7 - address.count) + address + " " + row(number, " ")
    }
    #expect(ReadRecording(text).error?.code == .noTimestamps)
    let rated = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(rated.samples == plain().samples)
  }

  @Test("a unit that changes in the middle is refused with the time, unless it is given", arguments: [9.80665, 1000])
  func changedUnit(_ factor: Double) {
    let text = table("time,x,y,z\n", 1000) {
      "\(seconds($0)),\(axes($0, $0 < 500 ? 1 : factor).joined(separator: ","))"
    }
    let read = ReadRecording(text)
    #expect(read.error?.code == .unknownUnit)
    #expect(read.error?.message.contains("after 10 s") == true, "\(read.error?.message ?? "")")
    #expect(ReadRecording(text, RecordingOptions(unit: .g)).samples.count == 1000)
    let long = table("time,x,y,z\n", 4000) {
      "\(seconds($0)),\(axes($0, $0 < 2000 ? 1 : factor).joined(separator: ","))"
    }
    let piped = ReadRecording(Array(long.utf8), pieces: 8)
    #expect(piped.samples.count == 4000)
    #expect(piped.warnings.contains { $0.contains("the unit changes") }, "\(piped.warnings)")
  }

  @Test("a window does not hide that the unit changes, and the remedy of the refusal counts each part")
  func changedUnitInWindow() {
    let text = table("time,x,y,z\n", 1000) {
      "\(seconds($0)),\(axes($0, $0 < 500 ? 1 : 9.80665).joined(separator: ","))"
    }
    var part = RecordingOptions()
    part.window = TimeWindow(end: .sinceFirstSample(nanoseconds: 9_000_000_000))
    #expect(ReadRecording(text, part).error?.code == .unknownUnit)
    part.unit = .g
    #expect(ReadRecording(text, part).samples.count >= 450)
  }

  @Test("rest after motion and motion after rest are no change of the unit")
  func sameUnit() {
    let text = table("time,x,y,z\n", 1000) { $0 < 500 ? "\(seconds($0)),0.1,0,1.0" : "\(seconds($0)),\(row($0))" }
    #expect(ReadRecording(text).error == nil)
  }

  @Test("rest after a walk without gravity is not a change of unit")
  func sameUnitWithoutGravity() {
    let text = table("time,x,y,z\n", 2000) { number in
      let swing = number < 1500 ? 0.21 + 0.3 * sin(Double(number) / 8) : 0.0214
      return "\(seconds(number)),\(swing),0,0.001"
    }
    #expect(ReadRecording(text).error == nil)
  }

  @Test(
    "an object of many records is their list",
    arguments: ["t", "time", "ts"])
  func namedRecords(_ time: String) {
    let records = (0..<400).map { number in
      let values = axes(number)
      return
        "\"-Nx\(number)\": {\"\(time)\": \(seconds(number)), \"x\": \(values[0]), \"y\": \(values[1]), \"z\": \(values[2])}"
    }
    for separator in ["\n", ""] {
      let all = records.joined(separator: "," + separator)
      let read = ReadRecording("{\"acc\": {" + separator + all + separator + "}}\n")
      #expect(read.samples == plain().samples)
    }
  }

  @Test("three arrays are the axes of their samples")
  func arrays() {
    let columns = (0..<3).map { axis in "[" + (0..<400).map { axes($0)[axis] }.joined(separator: ",") + "]" }
    let read = ReadRecording("{\"fs\": 50, \"acc\": [\(columns.joined(separator: ","))]}")
    #expect(read.samples == plain().samples)
  }

  @Test("durations with their unit behind a blank are times")
  func durations() {
    let read = ReadRecording(table("Time,X,Y,Z\n") { "\(seconds($0)) sec,\(row($0))" })
    #expect(read.samples == plain().samples)
  }

  @Test(
    "years of two digits are read behind dots and slashes",
    arguments: [
      ("16.03.25 10:11:12,34", true), ("03/16/25 10:11:12", true), ("16-03-25 10:11:12", false),
      ("16.03.2 10:11", false),
    ])
  func shortYears(_ text: String, _ isRead: Bool) {
    let bytes = Array(text.utf8)
    let moment = DateTimeText.parseDateAndTime(bytes.span, bytes.indices)
    #expect((moment.map { $0 / 86_400_000_000_000 } == 20_163) == isRead)
  }

  @Test("the kernel's seconds in brackets are times")
  func kernel() {
    let text = table("[   12.001234] lis3lv02d: hardware type LIS3DC 3D accelerometer found\n") { number in
      let values = axes(number)
      return
        "[  \(100 + number / 50).\(String(1_000_000 + number % 50 * 20_000).dropFirst())] lis3lv02d: x=\(values[0]) y=\(values[1]) z=\(values[2])"
    }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
    #expect(read.summary.span == .milliseconds(399 * 20))
  }

  @Test("values of an event are those of the sensor that it names")
  func events() {
    let text = table("") { number in
      let sensor = number % 2 == 0 ? "LSM6DSO Accelerometer" : "LSM6DSO Gyroscope"
      return
        "D/Wear: SensorEvent{sensor=\(sensor), type=1, timestamp=\(8_000_000_000_000 + number / 2 * 20_000_000), values=[\(number % 2 == 0 ? row(number / 2, ", ") : turn(number))]}"
    }
    #expect(ReadRecording(text).samples.map(\.acceleration) == Array(plain().samples.prefix(200)).map(\.acceleration))
  }

  @Test("the colours of a terminal do not matter")
  func colours() {
    let read = ReadRecording(
      table("") { "\u{1B}[36m10:11:0\(seconds($0))\u{1B}[39m \u{1B}[1mACC\u{1B}[0m \(row($0, " "))\u{1B}[K" })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration))
  }

  @Test("lines of one axis each are joined", arguments: [("x:", "y:", "z:"), ("m5/acc/x ", "m5/acc/y ", "m5/acc/z ")])
  func axisLines(_ x: String, _ y: String, _ z: String) {
    let text = table("") { zip([x, y, z], axes($0)).map { $0 + $1 }.joined(separator: "\n") }
    #expect(ReadRecording(text).error?.code == .noTimestamps)
    let rated = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(rated.samples == plain().samples)
  }

  @Test("the time may be the last line of a sample")
  func timeLast() {
    let text = table("") { number in
      zip(["x:", "y:", "z:"], axes(number)).map { $0 + $1 }.joined(separator: "\n") + "\nt:\(seconds(number))"
    }
    let read = ReadRecording(text)
    #expect(read.error == nil)
    // Each sample gets the time above it, so the first one has none.
    #expect(read.samples.map(\.acceleration) == plain().samples.dropFirst().map(\.acceleration))
  }

  @Test("a table that begins like EDF is a table")
  func alignedTable() {
    let read = ReadRecording(
      table("") { number in
        ([seconds(number)] + axes(number)).map { $0 + String(repeating: " ", count: 10 - $0.count) }.joined()
      })
    #expect(read.error == nil && read.samples.count == 400)
  }

  @Test("a list of YAML has a sample in four lines")
  func yaml() {
    let read = ReadRecording(
      table("samples:\n") { number in
        let values = axes(number)
        return "- t: \(seconds(number))\n  x: \(values[0])\n  y: \(values[1])\n  z: \(values[2])"
      })
    #expect(read.samples == plain().samples)
  }

  @Test("LabVIEW's interval is the sampling frequency")
  func interval() {
    let header =
      "LabVIEW Measurement\t\nX_Columns\tNo\n***End_of_Header***\t\nDelta_X\t0.020000\t0.020000\t0.020000\nX_Value\tAcc X\tAcc Y\tAcc Z\n"
    #expect(ReadRecording(table(header) { "\t\(row($0, "\t"))" }).samples == plain().samples)
  }

  @Test("the hour that local times repeat is no set clock, and neither is midnight")
  func turns() {
    let autumn = table("time,x,y,z\n") { number in
      "2025-10-26 0\(number < 200 ? "2:59:5" : "2:00:0")\(number < 200 ? 6 + number / 50 : number / 50 - 4).\(String(1000 + number % 50 * 20).dropFirst()),\(row(number))"
    }
    let read = ReadRecording(autumn)
    #expect(read.warnings.isEmpty && read.summary.gaps == 0, "\(read.warnings)")
    #expect(read.summary.span == .milliseconds(399 * 20))
    let night = table("time,x,y,z\n") { number in
      "\(number < 200 ? "23:59:5" : "00:00:0")\(number < 200 ? 6 + number / 50 : number / 50 - 4).\(String(1000 + number % 50 * 20).dropFirst()),\(row(number))"
    }
    let times = ReadRecording(night)
    #expect(times.warnings.isEmpty && times.summary.gaps == 0, "\(times.warnings)")
    #expect(times.summary.span == .milliseconds(399 * 20))
  }

  @Test("a clock that was set back by another time is said")
  func setClock() {
    let text = table("time,x,y,z\n") { number in
      "2025-10-26 02:\(number < 200 ? "59" : "14"):0\(number / 50).\(String(1000 + number % 50 * 20).dropFirst()),\(row(number))"
    }
    #expect(ReadRecording(text).warnings.contains { $0.contains("clock was set") })
  }

  @Test("remedies do not name columns that the file does not have")
  func rewrittenColumns() {
    let text = table("") { number in
      let values = axes(number)
      return "time: \(number / 50)h, ax: \(values[0]), ay: \(values[1]), az: \(values[2]), t: never"
    }
    let read = ReadRecording(text)
    #expect(read.error?.message.contains("\(option: .axes)") == false, "\(read.error?.message ?? "nil")")
  }

  @Test("a sampling frequency replaces times that cannot be read")
  func unreadableTimes() {
    let text = table("time,x,y,z\n") { "2025-W11-7T10:11:0\(seconds($0)),\(row($0))" }
    #expect(ReadRecording(text).error?.code == .noGoodRow)
    let rated = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(rated.samples == plain().samples)
  }

  @Test("names that are hexadecimal digits, such as those of an Arduino's pins, do not make the numbers hexadecimal")
  func pins() {
    let raw = { (names: String) in
      ReadRecording(
        table("ms,\(names)\n") { number in
          let phase = number % 25
          return "\(number * 20),\(2048 + phase * 8),\(2040 - phase * 3),\(2458 + (phase - 12) * 11)"
        })
    }
    #expect(raw("A0,A1,A2").samples.count == 400)
    #expect(raw("A0,A1,A2").samples == raw("x,y,z").samples)
    #expect(raw("A0,A1,A2").error == raw("x,y,z").error)
  }

  @Test(
    "blanks and apostrophes separate thousands in front of a decimal mark",
    arguments: [" ", "\u{A0}", "\u{202F}", "\u{2009}", "'", "’"])
  func groupedDecimals(separator: String) {
    let text = { (separator: String) in
      table("temps (ms);x (mg);y (mg);z (mg)\n") { number in
        let time = number * 20
        let shown = time < 1000 ? "\(time)" : "\(time / 1000)\(separator)\(String(1000 + time % 1000).dropFirst())"
        return "\(shown),0;-114,\(number % 10);\(number % 9),5;1\(separator)0\(10 + number % 80),5"
      }
    }
    let read = ReadRecording(text(separator))
    #expect(read.samples.count == 400)
    #expect(read.samples == ReadRecording(text("")).samples)
  }

  @Test(
    "the checksum of a sentence is no part of its last number",
    arguments: ["", "$GPGGA,101502.00,5222.4,N,00943.9,E,1*56\n"])
  func checksums(other: String) {
    let text = table("") { "\(other)$PACC,\($0 * 20),\(row($0))*\(10 + $0 % 80)" }
    #expect(ReadRecording(text).samples.map(\.acceleration) == plain().samples.map(\.acceleration))
  }

  /// The header of EDF, in one line.
  private static let edf =
    "0       X X X X" + String(repeating: " ", count: 153) + "01.02.24" + "10.11.12" + "512     "

  @Test(
    "documents and data of other programs are named",
    arguments: [
      ("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "HTML"),
      ("<?xml version=\"1.0\"?>\n<gpx><trk></trk></gpx>\n", "GPX"), (Self.edf, "EDF"),
      ("\0\0\0\u{18}ftypmp42", "video"), ("X\n\0\0\0\u{3}\0\u{4}", "R data"),
    ])
  func documents(_ text: String, _ word: String) {
    #expect(ReadRecording(text).error?.message.contains(word) ?? false)
  }
}
