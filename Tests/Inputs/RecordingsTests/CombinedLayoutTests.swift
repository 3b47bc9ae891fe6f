import Accelerometry
import Testing

@testable import Recordings

@Suite("Layouts that combine what each is read alone", .timeLimit(.minutes(30)))
struct CombinedLayoutTests: MovingSensor {
  // MARK: - Integers as registers have them

  /// The axes at 1024 counts per g, two of which pass zero.
  private func counts(_ row: Int) -> [Int] { [row * 37 % 400 - 200, 300 - row * 53 % 600, 900 + row * 11 % 99] }

  private func counted(_ rows: Int = 400) -> ReadRecording {
    ReadRecording(
      table("time,x,y,z\n", rows) { "\(seconds($0)),\(counts($0).map(String.init).joined(separator: ","))" })
  }

  @Test("signed integers that were written as unsigned ones are read as signed", arguments: [16, 32, 12])
  func unsigned(_ bits: Int) {
    let text = table("time,x,y,z\n") { row in
      "\(seconds(row)),\(counts(row).map { String($0 < 0 ? $0 + 1 << bits : $0) }.joined(separator: ","))"
    }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 977)] {
      // The unit, which is guessed, is the same: signed numbers give the same samples.
      #expect(read.samples.map(\.acceleration) == counted().samples.map(\.acceleration), "\(read.error?.message ?? "")")
      #expect(read.warnings.contains { $0.contains("end of \(bits) bits") }, "\(read.warnings)")
    }
  }

  @Test("unsigned integers of axes that stay below zero are read as signed as well")
  func unsignedBelowZero() {
    let read = ReadRecording(
      table("time,x,y,z\n") {
        "\(seconds($0)),\(65_536 - 300 - $0 * 7 % 90),\(65_536 - 500 - $0 * 5 % 80),\(700 + $0 * 11 % 99)"
      })
    #expect(
      read.samples.first.map { $0.acceleration.x < 0 && $0.acceleration.z > 0 } == true, "\(read.error?.message ?? "")")
  }

  @Test(
    "integers that are not signed ones are left alone",
    arguments: ["512", "0", "65535"])
  func notUnsigned(_ middle: String) {
    // A converter with its zero in the middle of 10 bits; failed reads among small numbers.
    let read = ReadRecording(
      table("time,x,y,z\n") { row in
        let isFailed = row % 50 == 49 && middle != "512"
        let values = counts(row).map { String(middle == "512" ? 512 + $0 / 8 : abs($0)) }
        return "\(seconds(row)),\(isFailed ? "\(middle),\(middle),\(middle)" : values.joined(separator: ","))"
      })
    #expect(!read.warnings.contains { $0.contains("unsigned") }, "\(read.warnings)")
  }

  @Test("hexadecimal integers are read, signed where they fill a register", arguments: [",", " "], [true, false])
  func hexadecimal(_ separator: String, _ hasPrefix: Bool) {
    func hex(_ number: Int) -> String {
      let digits = String(UInt16(bitPattern: Int16(number)), radix: 16, uppercase: true)
      return (hasPrefix ? "0x" : "") + String(repeating: "0", count: 4 - digits.count) + digits
    }
    let text = table("ms,x,y,z\n".replacing(",", with: separator)) {
      ([String($0 * 20)] + counts($0).map(hex)).joined(separator: separator)
    }
    let read = ReadRecording(text)
    #expect(read.samples == counted().samples, "\(read.error?.message ?? "")")
    #expect(read.warnings.contains { $0.contains("hexadecimal") })
  }

  @Test("identifiers beside decimal axes are no hexadecimal numbers")
  func identifiers() {
    let read = ReadRecording(table("t,dev,fw,session,x,y,z\n") { "\(seconds($0)),a1f0,1b2c,beef,\(row($0))" })
    #expect(read.samples == plain().samples && read.warnings == plain().warnings, "\(read.warnings)")
  }

  // MARK: - Columns

  @Test("the names of columns beside the rows of a table in JSON are used", arguments: ["values", "data", "rows"])
  func namedRows(_ member: String) {
    func rows(_ factor: Double) -> String {
      (0..<400).map { "[\(seconds($0)),\"walk\",\(axes($0, factor).joined(separator: ","))]" }.joined(separator: ",")
    }
    let names =
      member == "rows"
      ? #"[{"name":"t","type":"double"},{"name":"note"},{"name":"ax"},{"name":"ay"},{"name":"az"}]"#
      : #"["t","note","ax","ay","az"]"#
    let series = { (limb: String, factor: Double) in
      "{\"name\":\"imu\",\"tags\":{\"limb\":\"\(limb)\"},\"columns\":\(names),\"\(member)\":[\(rows(factor))]}"
    }
    let read = ReadRecording("{\"results\":[{\"series\":[\(series("left", 1)),\(series("right", 2))]}]}")
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
    #expect(read.warnings.contains { $0.contains("2 devices") && $0.contains("left") && $0.contains("right") })
    #expect(ReadRecording(series("left", 1)).warnings == plain().warnings)
  }

  @Test("rows of several people are those of the first, and the others are named")
  func people() {
    let one = { (name: String) in (0..<400).map { "\(name),\(seconds($0)),\(row($0))\n" }.joined() }
    let read = ReadRecording("subject_id,t,ax,ay,az\n" + one("S01") + one("S02"))
    #expect(read.samples == plain().samples)
    #expect(read.warnings.contains { $0.contains("S02") }, "\(read.warnings)")
  }

  @Test("parts of a time that is too large for any recording cost their row")
  func hugeParts() {
    let read = ReadRecording(
      table("hour,minute,second,ms,x,y,z\n") {
        "\($0 == 300 ? "9999999999" : "8"),15,\($0 / 50),\($0 % 50 * 20),\(row($0))"
      })
    #expect(read.samples.count == 399 && read.summary.rowsSkipped == 1, "\(read.error?.message ?? "")")
  }

  @Test("seconds and nanoseconds of ROS are joined")
  func stamps() {
    let read = ReadRecording(
      table("header.seq,header.stamp.secs,header.stamp.nsecs,acc.x,acc.y,acc.z\n") {
        "\($0),\(1_709_647_651 + $0 / 50),\($0 % 50 * 20_000_000),\(row($0))"
      })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration) && times(read) == times(plain()))
  }

  @Test("a gyroscope whose mean is as long as one g in m/s² is none beside an accelerometer, without names")
  func swingingGyroscope() {
    let read = ReadRecording(
      table("", 1200) { row in
        let swing = [(row % 50 - 25) * 6, (row % 40 - 20) * 5, (row % 30 - 15) * 7]
        let turn = zip(swing, [1, 5, 6]).map { String($0 + $1) }.joined(separator: "\t")
        return "\(row * 20)\t\(turn)\t\(axes(row, 9.80665).joined(separator: "\t"))"
      })
    #expect(read.samples.count == 1200 && !read.summary.gravityRemoved && read.summary.columns?.x == "5")
  }

  @Test(
    "a column in rad/s, m/s or m s⁻¹ is not part of a time",
    arguments: ["gx (rad/s)", "speed (m/s)", "v (m s-1)", "heading [deg/s]"])
  func rates(_ name: String) {
    let read = ReadRecording(
      table("time (ms),ax (g),ay (g),az (g),\(name)\n") { "\($0 * 20),\(row($0)),\(Double($0) / 300)" })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration) && times(read) == times(plain()))
  }

  @Test(
    "of two sensors that their names do not tell apart, the one with gravity is read, and it is said",
    arguments: [
      "t,imu.gx,imu.gy,imu.gz,imu.ax,imu.ay,imu.az", "t,GyX,GyY,GyZ,AcX,AcY,AcZ", "t,x,y,z,x,y,z",
      "t,left x,left y,left z,right x,right y,right z",
    ], [true, false])
  func gravityDecides(_ names: String, _ isFile: Bool) {
    let text = table(names + "\n", 1000) { row in
      let turn: [Int] = [row % 50 - 25, row % 40 - 20, row % 30 - 15]
      return "\(seconds(row)),\(turn.map { "\(Double($0) / 20)" }.joined(separator: ",")),\(self.row(row))"
    }
    let read = isFile ? ReadRecording(text) : ReadRecording(Array(text.utf8), pieces: 977)
    #expect(read.samples == plain(1000).samples, "\(read.error?.message ?? "") \(read.warnings)")
    #expect(read.warnings.allSatisfy { !$0.contains("2 accelerometers") }, "\(read.warnings)")
  }

  @Test("a pressure beside axes in counts is none of them, and a gyroscope before them is none either, without names")
  func pressureBesideCounts() {
    func counts(_ row: Int) -> String { axes(row, 256).map { String(Int(Double($0) ?? 0)) }.joined(separator: ",") }
    let pressed = ReadRecording(table("", 1000) { "\(seconds($0)),\(counts($0)),\(1013 + $0 % 2).\($0 % 10)" })
    #expect(pressed.summary.columns?.x == "2", "\(pressed.summary.columns as Any)")
    let turned = ReadRecording(
      table("t,_source.gx,_source.gy,_source.gz,_source.ax,_source.ay,_source.az\n", 1000) {
        "\(seconds($0)),\(Double($0 % 50 - 25) / 20),\(Double($0 % 40 - 20) / 20),\(Double($0 % 30 - 15) / 20),\(counts($0))"
      })
    #expect(turned.summary.columns?.x == "_source.ax", "\(turned.summary.columns as Any)")
  }

  @Test("a barometer column changes no sample, even in rows of its own", arguments: [false, true])
  func barometer(_ hasOwnRows: Bool) {
    let text = table("t,x,y,z,relativeAltitude\n") {
      "\(seconds($0)),\(row($0)),\(hasOwnRows ? "\n\(seconds($0))5,,,," : "")\u{2212}\(Double($0) / 10)"
    }
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 977)] {
      #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
    }
  }

  @Test("units of turns and fields in brackets are those of other sensors", arguments: ["dps", "µT", "deg"])
  func otherUnits(_ unit: String) {
    let read = ReadRecording(
      table("t,X (\(unit)),Y (\(unit)),Z (\(unit)),X (g),Y (g),Z (g)\n") {
        "\(seconds($0)),\($0 % 9),\($0 % 7),\($0 % 5),\(row($0))"
      })
    #expect(read.samples == plain().samples && read.warnings == plain().warnings, "\(read.warnings)")
  }

  @Test(
    "a unit behind a slash is that of the column",
    arguments: ["t / ms,X / g,Y / g,Z / g", "t / s,X-axis / m/s²,Y-axis / m/s²,Z-axis / m/s²"])
  func slashes(_ names: String) {
    let factor = names.contains("m/s²") ? 9.80665 : 1
    let read = ReadRecording(
      table(names + "\n") {
        "\(names.contains("ms") ? String($0 * 20) : seconds($0)),\(axes($0, factor).joined(separator: ","))"
      })
    #expect(read.samples.count == 400 && times(read) == times(plain()), "\(read.error?.message ?? "")")
    #expect(
      read.summary.unit == (factor == 1 ? .g : .metresPerSecondSquared) && read.warnings.isEmpty, "\(read.warnings)")
  }

  @Test(
    "addresses and texts beside the numbers are no names of numbers",
    arguments: ["AC:1D:2E:3F:40:0%", "fe80::1%", "https://a.b/c?d=%", "hr:72 bpm:7%", "left -> right%", "fw:1.% hw:2"])
  func addresses(_ text: String) {
    let one = { (device: Int) in
      (0..<400).map { "\(text.replacing("%", with: String(device))),\(seconds($0)),\(row($0))\n" }.joined()
    }
    let read = ReadRecording("device,t,ax,ay,az\n" + one(1) + one(2))
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "") \(read.warnings)")
    #expect(read.warnings.contains { $0.contains(text.replacing("%", with: "2")) }, "\(read.warnings)")
  }

  @Test("a 0/1 column named person is no wearer, and hr is a heart rate, not hours", arguments: ["person", "hr"])
  func flags(_ name: String) {
    let read = ReadRecording(table("time_s,x,y,z,\(name)\n") { "\(seconds($0)),\(row($0)),\($0 / 100 % 2)" })
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
  }

  // MARK: - Delimiters and times

  @Test(
    "blanks within a time or a name separate no columns where another mark does", arguments: ["\t", " | ", " ; ", ","],
    ["5/4/2026 08:15:0# AM", "2026-05-04 08:15:0# +0200", "20260504T08150#", "Mon May  4 08:15:0# 2026"])
  func blanksInTimes(_ delimiter: String, _ time: String) {
    let names = ["Elapsed time", "Accelerometer X", "Accelerometer Y", "Accelerometer Z"].joined(separator: delimiter)
    let read = ReadRecording(
      table(names + "\n") { [time.replacing("#", with: seconds($0))].joined() + delimiter + row($0, delimiter) })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()))
  }

  @Test("a date and a time of day in two quoted columns are one time")
  func quotedDateAndTime() {
    let read = ReadRecording(
      table("\"Date\",\"Time\",\"x\",\"y\",\"z\"\n") {
        "\"2026-05-04\",\"08:15:0\(seconds($0))\",\(axes($0).map { "\"\($0)\"" }.joined(separator: ","))"
      })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration) && times(read) == times(plain()))
  }

  @Test("decimals with three places beside integers are no thousands", arguments: [";", "\t", "|"])
  func threePlaces(_ delimiter: String) {
    let read = ReadRecording(
      table(["time_s", "x", "y", "z", "battery", "hr", "n"].joined(separator: delimiter) + "\n", 1200) { number in
        let values = [0.912, -0.204, 1.005].map { String($0 + Double(number % 7) / 1000).prefix(6) }
        return ([seconds(number)] + values.map(String.init) + ["3.987", "\(98 + number % 9)", "\(number)"]).joined(
          separator: delimiter)
      })
    #expect(
      read.samples.count == 1200 && read.samples.allSatisfy { abs($0.acceleration.z - 1.008) < 0.01 },
      "\(read.warnings)")
  }

  @Test("decimal commas are read between bars")
  func bars() {
    let read = ReadRecording(table("t|x|y|z\n") { "\(seconds($0))|\(row($0, "|"))".replacing(".", with: ",") })
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
  }

  @Test("thousands in counts are grouped where one axis has none, and decimals are not")
  func groupedCounts() {
    let text = table("time;x;y;z\n") { "\(seconds($0));1,\(100 + $0 % 90);\(676 + $0 % 99);16,\(172 + $0 % 99)" }
    #expect(ReadRecording(text).warnings.contains { $0.contains("thousands") })
    let decimals = table("time;x;y;z\n") { "\(seconds($0));1,\(100 + $0 % 90);2,\(676 + $0 % 99);9,\(172 + $0 % 99)" }
    #expect(ReadRecording(decimals).summary.unit == .metresPerSecondSquared)
  }

  // MARK: - Logs

  @Test(
    "times in front of labelled numbers are times, and names among lists tell their sensors",
    arguments: [
      "08:15:0#S -> #M, X: #x Y: #y Z: #z", "#M, x=#x y=#y z=#z", "[#M] X: #x Y: #y Z: #z",
      "[INFO] [177788250#S]: X: #x Y: #y Z: #z",
      "08:15:0#S -> ACC,#x,#y,#z", "2026-05-04 08:15:0#S INFO [MainThread] imu: #x, #y, #z",
      "2026-05-04T08:15:0#SZ time: #S Accel: #x, #y, #z Gyro: 0.08, 0.71, 0.07",
      "2026-05-04T08:15:0#SZ time: #S X: #x Y: #y Z: #z GX: 0.1 GY: 0.2 GZ: 0.3",
      "05-04 08:15:0#S  1234  1256 D Accel   : t=#M Accel: #x, #y, #z",
      "05-04 08:15:0#S  1234  1256 D Accel   : X: #x\n05-04 08:15:0#S  1234  1256 D Accel   : Y: #y\n05-04 08:15:0#S  1234  1256 D Accel   : Z: #z",
      "2026-05-04 08:15:0#S INFO [MainThread] imu: X: #x\n2026-05-04 08:15:0#S INFO [MainThread] imu: Y: #y\n2026-05-04 08:15:0#S INFO [MainThread] imu: Z: #z",
    ])
  func labelledLogs(_ form: String) {
    let read = ReadRecording(
      table("") { number in
        let values = axes(number)
        return form.replacing("#S", with: seconds(number)).replacing("#M", with: String(1234 + number * 20))
          .replacing("#x", with: values[0]).replacing("#y", with: values[1]).replacing("#z", with: values[2])
      })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()))
  }

  @Test("JSON: several values with one time in each line, and a document that is cut off")
  func batchesInJSON() {
    let lines = (0..<40).map { batch in
      let rows = (0..<10).map { axes(batch * 10 + $0) }
      let columns = (0..<3).map { axis in
        "\"\(["x", "y", "z"][axis])\":[\(rows.map { $0[axis] }.joined(separator: ","))]"
      }
      return "{\"ts\":\(1_709_647_651_000 + batch * 200),\(columns.joined(separator: ","))}\n"
    }
    let read = ReadRecording(lines.joined())
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()))
    let cut = ReadRecording("{\"data\":{\"t\":[\((0..<400).map(seconds).joined(separator: ","))],\"x\":[0.1,0.2")
    #expect(cut.error?.message.contains("ends in the middle") == true, "\(cut.error?.message ?? "")")
  }

  @Test("rows of numbers in one line of JSON are those of a table without names", arguments: [",", ", "])
  func numberArrays(_ separator: String) {
    let rows = (0..<1000).map {
      "[\(seconds($0)),\(turn($0)),\(row($0))]".replacing(",", with: separator)
    }
    let read = ReadRecording("[\(rows.joined(separator: separator))]\n")
    #expect(read.samples == plain(1000).samples, "\(read.error?.message ?? "") \(read.warnings)")
  }

  @Test(
    "columns that the user names are those of the file, also where two formats are combined",
    arguments: [nil, "1,3,4,5"])
  func namedColumns(_ columns: String?) {
    let text = table("t,sensor,x,y,z\n") { number in
      let quoted = { (values: [String]) in values.map { "\"\($0.replacing(".", with: ","))\"" }.joined(separator: ",") }
      let time = quoted([seconds(number)])
      return "\(time),acc,\(quoted(axes(number)))\n\(time),gyr,\(quoted(["0.5", "0.25", "0.75"]))"
    }
    let options = RecordingOptions(columns: columns?.split(separator: ",").map(String.init))
    let read = ReadRecording(text, options)
    #expect(read.samples.count == (columns == nil ? 400 : 800), "\(read.error?.message ?? "")")
  }

  @Test(
    "tags are told apart behind quoted decimal commas, and on lines that end with a carriage return",
    arguments: [true, false])
  func tagsInOtherNumbers(_ areQuoted: Bool) {
    let text = table("t,sensor,x,y,z\n") { number in
      let quoted = { (values: [String]) in
        values.map { areQuoted ? "\"\($0.replacing(".", with: ","))\"" : $0 }.joined(separator: ",")
      }
      let time = quoted([seconds(number)])
      return "\(time),acc,\(quoted(axes(number)))\n\(time),gyr,\(quoted(["1.5", "2.5", "\(number % 9).5"]))"
    }
    let read = ReadRecording(areQuoted ? text : text.replacing("\n", with: "\r"))
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
  }

  // MARK: - Lines above the rows

  @Test(
    "a stated sampling rate stays, whatever other rates and intervals the lines above the rows have",
    arguments: ["Rate: 9600", "freq: 868", "Interval: 10 s", "Period = 60 s", "hz: 433"])
  func otherRates(_ line: String) {
    let read = ReadRecording(table("# sampling rate: 50 Hz\n\(line)\nx,y,z\n") { row($0) })
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
    #expect(ReadRecording(table("\(line)\nx,y,z\n") { row($0) }).error?.code == .noTimestamps, "\(line)")
  }

  @Test(
    "a section of settings above the rows is no JSON, and short names of the rate are known",
    arguments: ["fs: 50", "Rate = 50", "dt=0.02 s", "hz;50"])
  func shortRates(_ line: String) {
    let read = ReadRecording(table("[Info]\nDevice=X7\n\(line)\n[Data]\nx,y,z\n") { row($0) })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()))
  }

  @Test(
    "the interval between samples is read in German as well",
    arguments: ["Abtastintervall;20;ms", "Abtastrate: 50", "Abtastzeit = 0.02 s"])
  func germanRate(_ line: String) {
    let read = ReadRecording(table(line + "\nX;Y;Z\n") { row($0, ";") })
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration) && times(read) == times(plain()))
  }

  @Test("lines that end with two carriage returns are one line each, also above the rows")
  func doubledReturns() {
    let text = table("Sample rate = 50 Hz\nX (mg)\tY (mg)\tZ (mg)\n") { axes($0, 1000).joined(separator: "\t") }
    let read = ReadRecording(text.replacing("\n", with: "\r\r\n"))
    #expect(read.samples == ReadRecording(text).samples && read.samples.count == 400)
    #expect(read.warnings == ReadRecording(text).warnings)
  }

  @Test(
    "thousands are grouped by any mark, also if the first is far below", arguments: ["’", "'", ".", ",", "\u{202F}"])
  func groups(_ mark: String) {
    func grouped(_ number: Int) -> String {
      number < 1000 ? String(number) : "\(number / 1000)\(mark)\(String(number % 1000 + 1000).dropFirst())"
    }
    let read = ReadRecording(
      table("Zeit (ms);X (mg);Y (mg);Z (mg)\n") { number in
        let values = axes(number, 1000).map { String(Int(Double($0) ?? 0)) }
        return "\(grouped(number * 5));\(values.joined(separator: ";"))"
      })
    #expect(
      read.samples.count == 400 && read.samples.last?.nanoseconds == 399 * 5_000_000, "\(read.error?.message ?? "")")
  }

  @Test("where only the time has a name, row numbers beside it are no axis")
  func entries() {
    let read = ReadRecording(
      table("created_at,entry_id,field1,field2,field3,latitude\n", 800) {
        "2026-05-04 10:00:\($0 / 50 < 10 ? "0" : "")\($0 / 50) UTC,\($0 + 1),\(row($0)),"
      })
    #expect(read.samples.count == 800, "\(read.error?.message ?? "")")
    #expect(read.samples.map(\.acceleration) == plain(800).samples.map(\.acceleration))
  }

  @Test("AcqKnowledge's minutes and its row of totals are understood")
  func acquired() {
    let text = table("walk.acq\n20 msec/sample\n3 channels\nX\ng\nY\ng\nZ\ng\nmin,CH1,CH2,CH3,\n,400,400,400,\n") {
      "\(Double($0) / 3000),\(row($0)),"
    }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(zip(times(read), times(plain())).allSatisfy { abs($0 - $1) < 1000 })
  }

  @Test(
    "an interval that each row states is the sampling frequency",
    arguments: [("interval", "20"), ("interval", "0.02"), ("interval_us", "20000")])
  func intervals(_ name: String, _ value: String) {
    let rows = table("") { number in
      let values = axes(number, 9.80665)
      return
        #"{"accelerationIncludingGravity":{"x":\#(values[0]),"y":\#(values[1]),"z":\#(values[2])},"\#(name)":\#(value)}"#
    }
    let read = ReadRecording(rows)
    #expect(read.samples.count == 400, "\(read.error?.message ?? "")")
    #expect(times(read) == times(plain()) && read.warnings.contains { $0.contains("50 Hz stated in line") })
    let changing = rows.replacing(#""\#(name)":\#(value)}"#, with: #""\#(name)":31}"#, maxReplacements: 1)
    #expect(ReadRecording(changing).error?.code == .noTimestamps)
  }

  @Test("the addresses of a dump are no times, in any of od's notations", arguments: [10, 16])
  func addresses(_ radix: Int) {
    let text = table("") { number in
      let address = String(number * 6, radix: radix)
      let values = axes(number, 16_384).map { String(Int((Double($0) ?? 0).rounded())) }
      return String(repeating: "0", count: 7 - address.count) + address + "  " + values.joined(separator: "  ")
    }
    #expect(ReadRecording(text).error?.code == .noTimestamps)
    let read = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(read.samples.count == 400 && times(read) == times(plain()))
  }
}
