import Accelerometry
import Testing

@testable import Recordings

/// A recording in the format of a phone or logger: a header, and rows of (seconds, x, y, z in g).
struct Layout: Sendable, CustomTestStringConvertible {
  var name: String
  var header: String
  var row: @Sendable (_ milliseconds: Int, _ x: Double, _ y: Double, _ z: Double) -> String
  var format: TimestampFormat = .seconds
  var unit: AccelerationUnit = .g
  var start: Int64 = 0
  var lineBreak = "\n"
  var options = RecordingOptions()
  var warnings = 0
  var testDescription: String { name }

  /// 2 s at 50 Hz.
  var text: String {
    let rows = (0..<100).map { row($0 * 20, Double($0 % 5) / 10, -Double($0 % 3) / 10, 0.96) }
    return ((header.isEmpty ? [] : [header]) + rows).map {
      $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineBreak) + lineBreak
    }.joined()
  }
}

/// Milliseconds as a decimal number of seconds.
private func seconds(_ milliseconds: Int) -> String {
  let rest = String(milliseconds % 1000)
  return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
}

private func comma(_ number: Double) -> String { "\(number)".split(separator: ".").joined(separator: ",") }

private let g = 9.80665

let layouts: [Layout] = [
  Layout(name: "t,x,y,z", header: "t,x,y,z") { "\(seconds($0)),\($1),\($2),\($3)" },
  Layout(name: "semicolons", header: "time;ax;ay;az") { "\(seconds($0));\($1);\($2);\($3)" },
  Layout(name: "decimal commas", header: "time;ax;ay;az") {
    "\(comma(Double($0) / 1000));\(comma($1));\(comma($2));\(comma($3))"
  },
  Layout(name: "decimal commas and tabs", header: "time\tax\tay\taz") {
    "\(comma(Double($0) / 1000))\t\(comma($1))\t\(comma($2))\t\(comma($3))"
  },
  Layout(name: "tabs", header: "t\tx\ty\tz") { "\(seconds($0))\t\($1)\t\($2)\t\($3)" },
  Layout(name: "pipes", header: "t|x|y|z") { "\(seconds($0)) | \($1) | \($2) | \($3)" },
  Layout(name: "blanks", header: "t x y z") { "  \(seconds($0))   \($1) \($2)\t\($3)" },
  Layout(name: "comma and blank", header: "t, x, y, z") { "\(seconds($0)), \($1), \($2), \($3)" },
  Layout(name: "quotes", header: "\"t\",\"x\",\"y\",\"z\"") { "\"\(seconds($0))\",\"\($1)\",\"\($2)\",\"\($3)\"" },
  Layout(name: "CRLF", header: "t,x,y,z", row: { "\(seconds($0)),\($1),\($2),\($3)" }, lineBreak: "\r\n"),
  Layout(name: "CR", header: "t,x,y,z", row: { "\(seconds($0)),\($1),\($2),\($3)" }, lineBreak: "\r"),
  Layout(name: "byte order mark", header: "\u{FEFF}t,x,y,z") { "\(seconds($0)),\($1),\($2),\($3)" },
  Layout(name: "no header, four columns", header: "") { "\(seconds($0)),\($1),\($2),\($3)" },
  Layout(name: "no header, the third column rises", header: "") { "7,3,\(seconds($0)),\($1),\($2),\($3),5" },
  Layout(
    name: "nanoseconds in brackets", header: "timestamp [ns],accel_x,accel_y,accel_z",
    row: { "\($0 * 1_000_000),\($1),\($2),\($3)" }, format: .nanoseconds),
  Layout(name: "Sensor Logger", header: "seconds_elapsed,z,y,x") { "\(seconds($0)),\($3),\($2),\($1)" },
  Layout(
    name: "Sensor Logger with Unix nanoseconds", header: "time,seconds_elapsed,z,y,x",
    row: { "\(1_700_000_000_000_000_007 + $0 * 1_000_000),\(seconds($0)),\($3),\($2),\($1)" }, format: .nanoseconds,
    start: 1_700_000_000_000_000_007),
  Layout(
    name: "phyphox",
    header:
      "Time (s),Acceleration x (m/s^2),Acceleration y (m/s^2),Acceleration z (m/s^2),Absolute acceleration (m/s^2)",
    row: { "\(Double($0) / 1000)E0,\($1 * g),\($2 * g),\($3 * g),9.9" }, unit: .metresPerSecondSquared),
  Layout(
    name: "mg after an underscore", header: "ts_ms, acc_x_mg, acc_y_mg, acc_z_mg",
    row: { "\($0), \($1 * 1000), \($2 * 1000), \($3 * 1000)" }, format: .milliseconds, unit: .milliG),
  Layout(
    name: "capitals and g in brackets", header: "Timestamp;AccX;AccY;AccZ;X (dps)",
    row: { "\($0 + 5000);\($1);\($2);\($3);7" }, format: .milliseconds, start: 5_000_000_000),
  Layout(name: "X (g)", header: "Elapsed (s),X (g),Y (g),Z (g)") { "\(seconds($0)),\($1),\($2),\($3)" },
  Layout(name: "gyroscope first", header: "t,gyro_x,gyro_y,gyro_z,acc_x,acc_y,acc_z,mag_x,mag_y,mag_z") {
    "\(seconds($0)),9,8,7,\($1),\($2),\($3),40,41,42"
  },
  Layout(name: "gx beside ax", header: "t,gx,gy,gz,ax,ay,az") { "\(seconds($0)),9,8,7,\($1),\($2),\($3)" },
  Layout(
    name: "SensorLog",
    header:
      "loggingTime(txt),loggingSample(N),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s),motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G)",
    row: { "2023-11-14T23:13:2\(seconds($0))+01:00,\($0 / 20),\(1000 + $0),\($1),\($2),\($3),1,2,3,0,0,0" },
    format: .iso8601, start: 1_700_000_000_000_000_000),
  Layout(
    name: "ISO with a blank and without a zone", header: "datetime,x,y,z",
    row: { "2023-11-14 22:13:2\(seconds($0)),\($1),\($2),\($3)" }, format: .iso8601, start: 1_700_000_000_000_000_000),
  Layout(
    name: "ISO between blanks", header: "time x y z", row: { "2023-11-14 22:13:2\(seconds($0)) \($1) \($2) \($3)" },
    format: .iso8601, start: 1_700_000_000_000_000_000),
  Layout(
    name: "a date and a time of day", header: "Date,Time,X,Y,Z",
    row: { "2023-11-14,22:13:2\(seconds($0)),\($1),\($2),\($3)" }, format: .iso8601, start: 1_700_000_000_000_000_000),
  Layout(
    name: "no header, a date and a time of day", header: "",
    row: { "2023-11-14;22:13:2\(seconds($0));\($1);\($2);\($3)" }, format: .iso8601, start: 1_700_000_000_000_000_000),
  Layout(
    name: "Unix seconds", header: "timestamp,x,y,z",
    row: { "\(1_700_000_000 + $0 / 1000).\(seconds($0).suffix(3)),\($1),\($2),\($3)" }, start: 1_700_000_000_000_000_000
  ),
  Layout(
    name: "Unix milliseconds", header: "timestamp,x,y,z", row: { "\(1_700_000_000_000 + $0),\($1),\($2),\($3)" },
    format: .milliseconds, start: 1_700_000_000_000_000_000),
  Layout(
    name: "microseconds by their rate", header: "t,x,y,z", row: { "\($0 * 1000),\($1),\($2),\($3)" },
    format: .microseconds),
  Layout(
    name: "m/s² by the magnitude", header: "t,x,y,z", row: { "\(seconds($0)),\($1 * g),\($2 * g),\($3 * g)" },
    unit: .metresPerSecondSquared),
  Layout(
    name: "mg by the magnitude", header: "t,x,y,z", row: { "\(seconds($0)),\($1 * 1000),\($2 * 1000),\($3 * 1000)" },
    unit: .milliG),
  Layout(
    name: "a converter's counts", header: "t,x,y,z", row: { "\(seconds($0)),\($1 * 8192),\($2 * 8192),\($3 * 8192)" },
    unit: .raw(countsPerG: 8192), warnings: 1),
  Layout(name: "comments and a preamble", header: "# made by a logger\n// v2\nDevice: 7\nName,walk\n\nt,x,y,z\n% units")
  { "\(seconds($0)),\($1),\($2),\($3)" },
  Layout(name: "a header in a comment", header: "# t, z, y, x") { "\(seconds($0)),\($3),\($2),\($1)" },
  Layout(name: "an index without a name", header: ",t,x,y,z") { "\($0 / 20),\(seconds($0)),\($1),\($2),\($3)" },
  Layout(name: "row names without a header", header: "t x y z") { "\"\($0)\" \(seconds($0)) \($1) \($2) \($3)" },
  Layout(name: "a delimiter at the end of rows", header: "t,x,y,z") { "\(seconds($0)),\($1),\($2),\($3)," },
  Layout(name: "a semicolon at the end of rows", header: "t,x,y,z") { "\(seconds($0)),\($1),\($2),\($3);" },
  Layout(name: "a label beside the numbers", header: "user,activity,timestamp,x-axis,y-axis,z-axis") {
    "33,Jogging,\(seconds($0)),\($1),\($2),\($3)"
  },
  Layout(name: "exponents", header: "t,x,y,z") { "\(Double($0) / 100)e-1,\($1 * 10)e-1,\($2 * 100)E-2,\($3 / 100)e+2" },
  Layout(
    name: "no timestamps, with a rate", header: "x,y,z", row: { "\($1),\($2),\($3)" + ($0 < 0 ? "" : "") },
    format: .none, options: RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50))),
  Layout(
    name: "no timestamps, a rate above the header",
    header: "--- made at 50 Hz ---\nAccelerometer X,Accelerometer Y,Accelerometer Z",
    row: { "\($1),\($2),\($3)" + ($0 < 0 ? "" : "") }, format: .none, warnings: 1),
  Layout(
    name: "columns by name", header: "t,foo,bar,baz,x,y,z", row: { "\(seconds($0)),\($1),\($2),\($3),9,9,9" },
    options: RecordingOptions(columns: ["t", "foo", "bar", "baz"])),
  Layout(
    name: "columns by number", header: "", row: { "\($3),\($2),\($1),4,\(seconds($0))" },
    options: RecordingOptions(columns: ["5", "3", "2", "1"])),
  Layout(name: "JSON objects", header: "") { "{\"t\":\(seconds($0)),\"x\":\($1),\"y\":\($2),\"z\":\($3)}" },
  Layout(
    name: "JSON nested", header: "{\"device\":\"logger\"}",
    row: {
      "{\"timestamp\": \($0), \"accelerometer\": {\"x\":\($1), \"y\":\($2), \"z\":\($3)}, \"gyro\":{\"x\":1,\"y\":2,\"z\":3}}"
    }, format: .milliseconds),
  Layout(name: "JSON arrays", header: "[") { "  [\(seconds($0)), \($1), \($2), \($3)]," },
  Layout(name: "JSON with an array in it", header: "") { "{\"t\":\"\(seconds($0))\",\"acc\":[\($1),\($2),\($3)]}" },
  Layout(
    name: "JSON with changing order", header: "",
    row: {
      ($0 % 40 == 0 ? "{\"t\":\(seconds($0)),\"x\":\($1)," : "{\"x\":\($1),\"t\":\(seconds($0)),")
        + "\"y\":\($2),\"z\":\($3)}"
    }),
]

/// A recording without names: the column of its clock, and its rows of (seconds, x, y, z).
struct ClockLayout: Sendable, CustomTestStringConvertible {
  var name: String
  var time: String
  var row: @Sendable (_ time: Double, _ x: Double, _ y: Double, _ z: Double) -> String
  var testDescription: String { name }
}

private let clockLayouts: [ClockLayout] = [
  ClockLayout(name: "time first", time: "1") { "\($0),\($1),\($2),\($3)" },
  ClockLayout(name: "time last", time: "4") { "\($1),\($2),\($3),\($0)" },
  ClockLayout(name: "iio_generic_buffer", time: "4") {
    "\($1) \($2) \($3) \(1_700_000_000_123_456_789 + Int($0 * 1e9)) "
  },
  ClockLayout(name: "a gyroscope before the time", time: "7") {
    "\($1),\($2),\($3),0.1,\($0 < 0.2 ? $0 : 0.3),0.3,\($0)"
  },
  ClockLayout(name: "row numbers before the time", time: "2") { "\(Int($0 * 50)),\($0),\($1),\($2),\($3)" },
  ClockLayout(name: "row numbers before milliseconds", time: "2") {
    "\(Int($0 * 50)) \(Int($0 * 1000)) \($1) \($2) \($3)"
  },
  ClockLayout(name: "whole seconds before five columns", time: "1") {
    "\(1_700_000_000 + Int($0)),\($1),\($2),\($3),7"
  },
]

@Suite("Layouts of recordings", .timeLimit(.minutes(30)))
struct LayoutProbeTests {
  @Test("the layout is detected", arguments: layouts)
  func understood(layout: Layout) throws {
    let read = ReadRecording(layout.text, layout.options)
    #expect(read.error == nil)
    try #require(read.samples.count == 100, "\(read.summary)")
    #expect(read.summary.timestampFormat == layout.format)
    #expect(read.summary.unit == layout.unit)
    #expect(read.warnings.count == layout.warnings, "\(read.warnings)")
    #expect(read.profile.samplingFrequency?.hertz == 50)
    #expect(read.summary.timestampsAreAbsolute == (layout.start > 1_000_000_000_000_000_000))
    #expect(read.nanoseconds == (0..<100).map { layout.start + $0 * 20_000_000 })
    let wrong = read.samples.indices.first { index in
      let difference =
        read.samples[index].acceleration - SIMD3(Float(index % 5) / 10, -Float(index % 3) / 10, 0.96)
      return (difference * difference).sum() > 1e-12
    }
    #expect(wrong == nil)
  }

  @Test(
    "the bytes may arrive in any pieces", arguments: layouts.enumerated().filter { $0.offset % 3 == 0 }.map(\.element),
    [1, 7])
  func pieces(layout: Layout, size: Int) {
    let whole = ReadRecording(layout.text, layout.options)
    let pieces = ReadRecording(Array(layout.text.utf8), pieces: size, layout.options)
    #expect(pieces.samples == whole.samples)
    #expect(pieces.summary == whole.summary)
  }

  @Test("missing gravity is detected, and the unit guessed with a warning")
  func gravityRemoved() {
    let rows = (0..<100).map { "\(Double($0) / 50),\(Double($0 % 10) / 100),0.01,-0.02\n" }.joined()
    let read = ReadRecording("t,x,y,z\n" + rows)
    #expect(read.summary.gravityRemoved)
    #expect(read.summary.unit == .g)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("gravity"))
  }

  @Test(
    "linear acceleration is used if there is no other",
    arguments: [
      ("Linear Acceleration x (m/s^2),Linear Acceleration y (m/s^2),Linear Acceleration z (m/s^2)", 1 / 9.80665),
      ("motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G)", 1),
      ("user_accel_x,user_accel_y,user_accel_z", 1),
    ])
  func linear(names: String, unitInG: Double) {
    let rows = (0..<80).map { "\(Double($0) / 50),0.1,0.2,\($0 % 3)\n" }.joined()
    let read = ReadRecording("t,\(names)\n" + rows)
    #expect(read.summary.gravityRemoved)
    #expect(read.summary.unit?.inG == unitInG)
    #expect(read.samples.count == 80)
  }

  @Test(
    "gravity in columns of its own completes linear acceleration",
    arguments: [
      "gravity.x,gravity.y,gravity.z,t,userAcceleration.x,userAcceleration.y,userAcceleration.z",
      "motionGravityX(G),motionGravityY(G),motionGravityZ(G),t,motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G)",
      "grav_x,grav_y,grav_z,t,lin_acc_x,lin_acc_y,lin_acc_z",
    ])
  func gravityBeside(names: String) {
    let rows = (0..<80).map { "0.6,-0.5,\($0 % 2).5,\(Double($0) / 50),0.1,0.2,-\($0 % 2)\n" }.joined()
    for read in [ReadRecording(names + "\n" + rows), ReadRecording(Array((names + "\n" + rows).utf8), pieces: 7)] {
      #expect(!read.summary.gravityRemoved && read.summary.unit == .g, "\(read.warnings)")
      #expect(read.samples.count == 80)
      #expect(read.samples.allSatisfy { abs(($0.acceleration - SIMD3(0.7, -0.3, 0.5)).max()) < 1e-6 })
    }
  }

  @Test("gravity without values, or in another unit than linear acceleration, is not added")
  func gravityApart() {
    let axes = "user_accel_x,user_accel_y,user_accel_z"
    let rows = { (gravity: String) in (0..<80).map { "\(gravity),\(Double($0) / 50),0.1,0.2,\($0 % 3)\n" }.joined() }
    for text in [
      "grav_x,grav_y,grav_z,t,\(axes)\n" + rows(",,"),
      "grav_x (m/s^2),grav_y (m/s^2),grav_z (m/s^2),t,\(axes)\n" + rows("0.1,0.2,9.8"),
    ] {
      let read = ReadRecording(text)
      #expect(read.summary.gravityRemoved && read.samples.count == 80, "\(read.error?.message ?? "")")
      #expect(read.samples.first?.acceleration == SIMD3(0.1, 0.2, 0))
    }
  }

  @Test("without names, the clock is found in any column", arguments: clockLayouts)
  func clockAnywhere(layout: ClockLayout) {
    // An axis rises over the first third of a second, as a limb does.
    let rows = (0..<200).map { index in
      let time = Double(index) / 50
      return layout.row(time, Double(index < 16 ? index : index % 7) / 50, 0.2, index % 2 == 0 ? 0.9 : 1.1) + "\n"
    }
    let text = rows.joined()
    for read in [ReadRecording(text), ReadRecording(Array(text.utf8), pieces: 11)] {
      #expect(read.error == nil && read.samples.count == 200)
      #expect(read.summary.columns?.time == layout.time)
      #expect(read.profile.samplingFrequency.map { abs($0.hertz - 50) <= 1 } == true)
      #expect(read.samples.last?.acceleration.y == 0.2 && read.summary.unit == .g)
    }
  }

  @Test("four columns without a clock require a sampling frequency", arguments: ["3", "0.5", "walk"])
  func noClock(last: String) {
    let rows = (0..<100).map { "0.\($0 % 7),0.\($0 % 5),0.9\($0 % 3),\(last)\n" }.joined()
    #expect(ReadRecording(rows).error == .noTimestamps(path: "walk.csv", line: 1))
    let read = ReadRecording(rows, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(read.samples.count == 100 && read.summary.columns?.x == "1")
  }

  @Test(
    "sampling frequencies too low for steps, or too high for a sensor, are refused",
    arguments: [
      ("time (s)", 1.0, "1.0"), ("time (s)", 60, "0.017"), ("time (s)", 0.25, "4.0"), ("time (s)", 4e-6, "250000"),
    ])
  func implausibleRate(name: String, step: Double, rate: String) {
    let rows = (0..<40).map { "\(Double($0) * step),0.\($0 % 7),0.2,0.9\n" }.joined()
    let read = ReadRecording("\(name),x,y,z\n" + rows)
    #expect(read.error == .implausibleRate(path: "walk.csv", line: 2, rate: rate))
    #expect(read.samples.isEmpty)
    let asked = RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50), columns: ["x", "y", "z"])
    #expect(ReadRecording("\(name),x,y,z\n" + rows, asked).samples.count == 40)
  }

  @Test(
    "times that rise by 1 (seconds or row numbers) are refused, and read with a stated sampling frequency",
    arguments: ["t,x,y,z\n", "time,x,y,z\n", "timestamp,x,y,z\n", ""], [0, 1])
  func rowNumbers(header: String, first: Int) {
    let rows = (0..<3600).map { "\($0 + first),0.\($0 % 7),0.2,0.9\n" }.joined()
    let line = header.isEmpty ? 1 : 2
    for read in [ReadRecording(header + rows), ReadRecording(Array((header + rows).utf8), pieces: 900)] {
      #expect(read.error == .ambiguousTimes(path: "walk.csv", line: line))
      #expect(read.samples.isEmpty && read.error?.kind == .badData)
    }
    let asked = RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50))
    let read = ReadRecording(header + rows, asked)
    #expect(read.error == nil && read.samples.count == 3600)
    #expect(read.nanoseconds == (0..<3600).map { $0 * 20_000_000 })
    #expect(read.profile.samplingFrequency?.hertz == 50)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("row numbers"), "\(read.warnings)")
  }

  @Test("times in a column named as milliseconds may rise by 1", arguments: ["time_ms", "millis", "t (ms)"])
  func namedMilliseconds(name: String) {
    let rows = (0..<3000).map { "\($0),0.\($0 % 7),0.2,0.9\n" }.joined()
    let read = ReadRecording("\(name),x,y,z\n" + rows)
    #expect(read.error == nil && read.samples.count == 3000 && read.warnings.isEmpty)
    #expect(read.profile.samplingFrequency?.hertz == 1000)
  }

  @Test("a stated sampling frequency at which steps cannot be counted is refused", arguments: [1, 3, 4.9, 200_000])
  func statedRate(hertz: Double) {
    let rows = (0..<200).map { "0.\($0 % 7),0.2,0.9\n" }.joined()
    let read = ReadRecording("x,y,z\n" + rows, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: hertz)))
    #expect(read.error?.code == .implausibleRate)
    #expect(read.samples.isEmpty)
  }

  @Test("with few rows, a low sampling frequency is only a warning")
  func fewSlowRows() {
    let read = ReadRecording("time (s),x,y,z\n0,0,0,1\n1,0,0.1,1\n2,0,0,1\n3,0,0.1,1\n")
    #expect(read.error == nil && read.samples.count == 4)
    #expect(read.warnings.contains { $0.contains("there are 1.0 samples a second") }, "\(read.warnings)")
  }

  @Test("a magnitude that matches no unit is refused, unless the unit is stated")
  func unknownUnit() {
    let rows = "t,x,y,z\n" + (0..<200).map { "\(Double($0) / 50),\($0 % 9)00,0,256000\n" }.joined()
    let read = ReadRecording(rows)
    #expect(read.error?.kind == .badData && read.samples.isEmpty)
    #expect(read.error?.description.contains("\(RecordingOption.rawUnit)") == true)
    let stated = ReadRecording(rows, RecordingOptions(unit: .raw(countsPerG: 256_000)))
    #expect(stated.samples.count == 200 && stated.warnings.isEmpty)
  }

  @Test("a wrong unit is used, with a warning")
  func wrongUnit() {
    let rows = (0..<100).map { "\(Double($0) / 50),0.1,9.8,0.\($0 % 9)\n" }.joined()
    let read = ReadRecording("t,x,y,z\n" + rows, RecordingOptions(unit: .g))
    #expect(read.samples.first?.acceleration == [0.1, 9.8, 0])
    #expect(read.warnings.count == 1 && read.warnings[0].contains("with g as the unit"), "\(read.warnings)")
  }

  @Test("column names without axes are ignored, with a warning")
  func unknownNames() {
    let read = ReadRecording("when,left,up,front\n" + plainRows(100))
    #expect(read.samples.count == 100)
    #expect(read.warnings.count == 1 && read.warnings[0].contains("line 1"))
  }

  @Test("the first of two accelerometers is read, with a warning")
  func twoSensors() {
    let rows = (0..<100).map { "\(Double($0) / 50),0,0,1,\($0),5,5\n" }.joined()
    let read = ReadRecording("t,left_acc_x,left_acc_y,left_acc_z,right_acc_x,right_acc_y,right_acc_z\n" + rows)
    #expect(read.samples.last?.acceleration == [0, 0, 1])
    #expect(read.warnings.first?.contains("2 accelerometers") == true, "\(read.warnings)")
  }

  @Test("whole seconds are spread over the second, with a warning")
  func wholeSeconds() {
    let rows = (0..<250).map { "\(1_700_000_000 + ($0 + 20) / 50),0,0,1\n" }.joined()
    let read = ReadRecording("timestamp,x,y,z\n" + rows)
    #expect(read.samples.count == 250)
    let steps = Set(zip(read.nanoseconds, read.nanoseconds.dropFirst()).map { $1 - $0 })
    #expect(steps == [20_000_000])
    #expect(read.warnings.first?.contains("whole seconds") == true, "\(read.warnings)")
  }
}
