import Accelerometry
import Foundation
import Testing

@testable import Recordings

/// A text that is not a table of samples, with 100 samples at 50 Hz of x = 0.1, 0.2 or 0.3.
struct OtherShape: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var rate: Double?
  var warnings = 0
  var testDescription: String { name }

  init(_ name: String, rate: Double? = nil, warnings: Int = 0, _ text: String) {
    (self.name, self.rate, self.warnings, self.text) = (name, rate, warnings, text)
  }
}

private func x(_ row: Int) -> String { "0.\(1 + row % 3)" }
private func lines(_ line: (Int) -> String) -> String { (0..<100).map { line($0) + "\n" }.joined() }
private func list(_ element: (Int) -> String) -> String { (0..<100).map(element).joined(separator: ", ") }
private func two6(_ value: Int) -> String { String(String(1_000_000 + value).dropFirst()) }
private func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

private let otherShapes: [OtherShape] = [
  OtherShape(
    "an array of objects", "[" + list { "{\"t\": \($0 * 20 + 7), \"x\": \(x($0)), \"y\": 0, \"z\": 0.9}" } + "]"),
  OtherShape(
    "an array of objects in changing order",
    "["
      + list {
        $0 % 2 == 0
          ? "{\"t\": \($0 * 20 + 7), \"x\": \(x($0)), \"y\": 0, \"z\": 0.9}"
          : "{\"z\": 0.9, \"x\": \(x($0)), \"y\": 0, \"t\": \($0 * 20 + 7)}"
      } + "]"),
  OtherShape(
    "a value a row with its name, and other values between them",
    "time,name,value\n"
      + lines { row in
        ["X,\(x(row))", "Y,0.0", "Z,0.9"].map { "\(1_709_647_330_000 + row * 20),accel\($0)" }.joined(separator: "\n")
          + (row % 10 == 0 ? "\n\(1_709_647_330_000 + row * 20),battery,3.91" : "")
      }),
  OtherShape(
    "the messages of a broker, each with one axis of one of two sensors",
    lines { row in
      ["gyro/x 5.1", "gyro/y 0.3", "gyro/z 7.2", "accel/x \(x(row))", "accel/y 0.0", "accel/z 0.9"].enumerated().map {
        "1709647330.\(String(String(1000 + row * 20 % 1000 + $0.offset).dropFirst())) home/imu/\($0.element)"
      }.joined(separator: "\n").replacing("1709647330.", with: "\(1_709_647_330 + row / 50).")
    }),
  OtherShape(
    "the log of an ESP32, with colours and other lines",
    "I (312) cpu_start: Starting scheduler on PRO CPU.\nI (325) main_task: Calling app_main()\n"
      + lines {
        "\u{1B}[0;32mI (\($0 * 20 + 345)) mpu6050 test: acce_x:\(x($0)), acce_y:0.00, acce_z:0.90\u{1B}[0m"
      }),
  OtherShape(
    "the log of an ESP32 with numbers alone", lines { "I (\($0 * 20 + 345)) imu: \(x($0)), 0.00, 0.90" }),
  OtherShape(
    "Android's log, with another sensor, over midnight",
    "--------- beginning of main\n"
      + lines { row in
        let (second, part) = (row < 50 ? "23:59:59" : "00:00:00", String(String(1000 + row % 50 * 20).dropFirst()))
        return "03-05 \(second).\(part)  8123  8150 D Test: onSensorChanged type=1 values=[\(x(row)), 0.0, 0.9] acc=3\n"
          + "03-05 \(second).\(part)  8123  8150 D Test: onSensorChanged type=4 values=[5.0, 5.0, 5.0] acc=3"
      }),
  OtherShape(
    "values of two devices, told apart by another column", warnings: 1,
    "device,time,name,value\n"
      + lines { row in
        ["a,X,\(x(row))", "b,X,5.0", "a,Y,0.0", "b,Y,5.0", "a,Z,0.9", "b,Z,5.0"].map { text in
          let parts = text.split(separator: ",")
          return "\(parts[0]),\(1_709_647_330_000 + row * 20),accel\(parts[1]),\(parts[2])"
        }.joined(separator: "\n")
      }),
  OtherShape(
    "values of which the first axis was lost once",
    "time,name,value\n1709647329980,accelY,5.0\n1709647329980,accelZ,5.0\n"
      + lines { row in
        ["X,\(x(row))", "Y,0.0", "Z,0.9"].map { "\(1_709_647_330_000 + row * 20),accel\($0)" }.joined(separator: "\n")
      }),
  OtherShape(
    "the log of an ESP32 with two sensors",
    lines { "I (\($0 * 20 + 345)) gyro: 5.0, 5.0, 5.0\nI (\($0 * 20 + 345)) acc: \(x($0)), 0.00, 0.90" }),
  OtherShape(
    "a board's log with two sensors of the same kind", warnings: 1,
    lines { "I (\($0 * 20 + 345)) left: \(x($0)), 0.00, 0.90\nI (\($0 * 20 + 345)) right: 5.0, 5.0, 5.0" }),
  OtherShape(
    "Android's log with two accelerations",
    lines { row in
      let time = "03-05 14:02:1\(row / 50).\(String(String(1000 + row % 50 * 20).dropFirst()))  8123  8150 D"
      return "\(time) Test: onSensorChanged type=10 values=[5.0, 5.0, 5.0]\n"
        + "\(time) Test: onSensorChanged type=1 values=[\(x(row)), 0.0, 0.9]"
    }),
  OtherShape(
    "times in minutes",
    "Time (min),Ax (g),Ay (g),Az (g)\n" + lines { "\(String(format: "%.9f", Double($0) * 0.02 / 60)),\(x($0)),0,0.9" }),
  OtherShape(
    "a date, a time in seconds and its milliseconds, over midnight",
    "Date\tTime\tmsec\tAccX\tAccY\tAccZ\n"
      + lines { row in
        "05-Mar-24\t\(row < 50 ? "23:59:59" : "00:00:00")\t\(row % 50 * 20)\t\(x(row))\t0.0\t0.9"
      }),
  OtherShape("an array of arrays", "[" + list { "[\($0 * 20 + 7), \(x($0)), 0, 0.9]" } + "]"),
  OtherShape(
    "an object of columns",
    "{\"time_ms\": [" + list { "\($0 * 20)" } + "], \"x\": [" + list(x) + "], \"y\": [" + list { _ in "0" }
      + "], \"z\": ["
      + list { _ in "0.9" } + "]}"),
  OtherShape(
    "buffers of phyphox",
    "{\"buffer\": {\"acc_time\": {\"size\": 0, \"buffer\": [" + list { "\(Double($0 * 2) / 100)" }
      + "]}, \"accX\": {\"buffer\": [" + list(x) + "]}, \"accY\": {\"buffer\": [" + list { _ in "0" }
      + "]}, \"accZ\": {\"buffer\": [" + list { _ in "0.9" } + "]}}, \"status\": {\"measuring\": true}}"),
  OtherShape(
    "messages of several sensors with many samples each",
    (0..<10).map { message in
      let samples = (message * 10..<message * 10 + 10).map { row in
        "{\"name\": \"gyroscope\", \"time\": \(1_777_882_500_000 + row * 20), \"values\": {\"x\": 5, \"y\": 5, \"z\": 5}},"
          + " {\"name\": \"totalacceleration\", \"time\": \(1_777_882_500_000 + row * 20), \"values\": {\"x\": \(x(row)),"
          + " \"y\": 0, \"z\": 0.9}}"
      }
      return "{\"messageId\": \(message), \"payload\": [\(samples.joined(separator: ", "))]}\n"
    }.joined()),
  OtherShape(
    "messages with one time for many samples",
    (0..<10).map { message in
      let samples = (message * 10..<message * 10 + 10).map { "{\"x\": \(x($0)), \"y\": 0, \"z\": 0.9}" }
      return "{\"acc\": {\"Timestamp\": \(1000 + message * 200), \"ArrayAcc\": [\(samples.joined(separator: ", "))]}}\n"
    }.joined()),
  OtherShape(
    "names before numbers", rate: 50, lines { "AccelX:\(x($0)),AccelY:0.0,AccelZ:0.9, GyroX:5,GyroY:5,GyroZ:5" }),
  OtherShape("the gyroscope first", rate: 50, lines { "gX = 5 | gY = 5 | gZ = 5 | aX = \(x($0)) | aY = 0 | aZ = 0.9" }),
  OtherShape("a time among the names", lines { "t:\($0 * 20 + 500) ax:\(x($0)) ay:0.0 az:0.9" }),
  OtherShape(
    "a log with times of day",
    lines { "2026-05-04 08:15:\(two($0 / 50)).\(100 + $0 % 50 * 2 * 10) INFO imu: x=\(x($0)) y=0.0 z=0.9" }
      .split(separator: "\n").prefix(45).joined(separator: "\n")),
  OtherShape("one name for three numbers", lines { "t=\($0 * 20 + 500) acc=(\(x($0)), 0.0, 0.9) gyro=(5, 5, 5)" }),
  OtherShape(
    "dates in brackets",
    lines { "[2026-05-04 08:15:\(two($0 / 50)).\(100 + $0 % 50 * 20)] \(x($0)),0.0,0.9" }
      .split(separator: "\n").prefix(45).joined(separator: "\n")),
  OtherShape(
    "lines of several sensors",
    lines {
      "{\"sensor\": \"gyroscope\", \"t\": \($0 * 20 + 7), \"x\": 5, \"y\": 5, \"z\": 5}\n"
        + "{\"sensor\": \"accelerometer\", \"t\": \($0 * 20 + 7), \"x\": \(x($0)), \"y\": 0, \"z\": 0.9}"
    }),
  OtherShape(
    "a message encoded as a string",
    lines {
      "{\"topic\": \"a\", \"payload\": \"{\\\"t\\\": \($0 * 20 + 7), \\\"x\\\": \(x($0)), \\\"y\\\": 0, \\\"z\\\": 0.9}\"}"
    }),
  OtherShape(
    "columns below their times",
    "{\"data\": {\"timestamps\": [" + list { "\($0 * 20)" } + "], \"accelerometer\": {\"x\": [" + list(x)
      + "], \"y\": [" + list { _ in "0" } + "], \"z\": [" + list { _ in "0.9" } + "]}}}"),
  OtherShape(
    "evtest",
    "Input driver version is 1.0.1\n    Event code 0 (ABS_X)\n      Value      0\n      Min   -32768\n"
      + "      Resolution    1000\n    Event code 1 (ABS_Y)\n      Value      0\n    Event code 2 (ABS_Z)\n"
      + "      Value      900\nTesting ... (interrupt to exit)\n"
      + lines {
        "Event: time \(1_700_000_000 + $0 / 50).\(two6($0 % 50 * 20_000)),"
          + " type 3 (EV_ABS), code 0 (ABS_X), value \(100 + $0 % 3 * 100)\n"
          + "Event: time \(1_700_000_000 + $0 / 50).\(two6($0 % 50 * 20_000)), -------------- SYN_REPORT ------------"
      }),
  OtherShape(
    "evemu",
    "# EVEMU 1.3\nN: Motion\nA: 00 -32768 32767 16 0 1000\nA: 01 -32768 32767 16 0 1000\n"
      + lines {
        let time = "\($0 / 50).\(two6($0 % 50 * 20_000))"
        return
          "E: \(time) 0003 0000 \(100 + $0 % 3 * 100)\t# EV_ABS\nE: \(time) 0003 0001 0\nE: \(time) 0003 0002 900\n"
          + "E: \(time) 0000 0000 0000\t# SYN_REPORT"
      }),
  OtherShape(
    "libinput",
    "# libinput record\nversion: 1\ndevices:\n- node: /dev/input/event5\n  evdev:\n    absinfo:\n"
      + "      0: [-32768, 32767, 16, 0, 1000]\n  events:\n"
      + lines {
        let time = "\($0 / 50), \($0 % 50 * 20_000)"
        return "  - evdev:\n    - [\(time), 3, 0, \(100 + $0 % 3 * 100)] # EV_ABS\n    - [\(time), 3, 1, 0]\n"
          + "    - [\(time), 3, 2, 900]\n    - [\(time), 0, 0, 0] # SYN_REPORT"
      }),
  OtherShape(
    "Sensor Logger's acceleration without gravity beside the gravity",
    "["
      + list {
        "{\"name\": \"accelerometer\", \"time\": \($0 * 20 + 7), \"values\": {\"x\": \(x($0)), \"y\": 0.1, \"z\": -0.1}},"
          + " {\"name\": \"gravity\", \"time\": \($0 * 20 + 7), \"values\": {\"x\": 0, \"y\": -0.1, \"z\": 1}}"
      } + "]"),
  OtherShape(
    "Sensor Logger's acceleration without gravity before the total",
    "["
      + list {
        "{\"sensor\": \"accelerometer\", \"t\": \($0 * 20 + 7), \"x\": 0, \"y\": 0, \"z\": 0.01},"
          + " {\"sensor\": \"totalacceleration\", \"t\": \($0 * 20 + 7), \"x\": \(x($0)), \"y\": 0, \"z\": 0.9}"
      } + "]"),
  OtherShape(
    "gravity beside an acceleration that contains it",
    "["
      + list {
        "{\"name\": \"accelerometer\", \"time\": \($0 * 20 + 7), \"values\": {\"x\": \(x($0)), \"y\": 0, \"z\": 0.9}},"
          + " {\"name\": \"gravity\", \"time\": \($0 * 20 + 7), \"values\": {\"x\": 0, \"y\": 0, \"z\": 1}}"
      } + "]"),
  OtherShape("numbers in parentheses", rate: 50, lines { "(\(x($0)), 0.0, 0.9)" }),
  OtherShape(
    "several lines for a sample", rate: 50,
    lines { "Acceleration X: \(x($0)), Y: 0.0, Z: 0.9 g\nRotation X: 5, Y: 5, Z: 5 rad/s\nTemperature: 27.8 degC\n" }),
]

@Suite("Text formats with adapters", .timeLimit(.minutes(30)))
struct AdapterTests {
  @Test("every sample is read", arguments: otherShapes)
  func shapes(_ shape: OtherShape) {
    var options = RecordingOptions(unit: .g)
    options.samplingFrequency = shape.rate.flatMap { SamplingFrequency(hertz: $0) }
    let read = ReadRecording(shape.text, options)
    let count = shape.name.hasPrefix("a log") || shape.name.hasPrefix("dates") ? 45 : 100
    #expect(read.samples.count == count, "\(read.error?.description ?? "") \(read.warnings)")
    #expect(read.warnings.count == shape.warnings, "\(read.warnings)")
    for (row, sample) in read.samples.enumerated() {
      #expect(abs(sample.acceleration.x - Float(1 + row % 3) / 10) < 1e-6 && abs(sample.acceleration.z - 0.9) < 1e-6)
      #expect(abs(sample.nanoseconds - read.samples[0].nanoseconds - Int64(row) * 20_000_000) < 1000)
    }
    #expect(ReadRecording(Array(shape.text.utf8), pieces: 700, options).samples == read.samples)
  }

  @Test("without timestamps and a sampling frequency they are refused with the remedy")
  func noRate() {
    let error = ReadRecording(lines { "(\(x($0)), 0.0, 0.9)" }).error
    #expect(error?.description.contains("\(RecordingOption.rate)") == true)
  }

  @Test("UTF-16 is read in either byte order", arguments: [true, false])
  func wide(_ isBigEndian: Bool) {
    let text = "t;x;y;z;Bemerkung ü😀\r\n" + (0..<100).map { "\($0 * 20);0,\(1 + $0 % 3);0;0,9;\r\n" }.joined()
    let bytes = ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      return isBigEndian ? [high, low] : [low, high]
    }
    let read = ReadRecording(bytes, RecordingOptions(unit: .g))
    #expect(read.samples.count == 100)
    #expect(read.warnings == [])
  }

  @Test("spreadsheet dates are timestamps")
  func serialDays() {
    let rows = (0..<100).map { "\(46_146.34375 + Double($0) * 0.02 / 86_400),0.\($0 % 3),0,0.9\n" }
    let read = ReadRecording("Time,X,Y,Z\n" + rows.joined(), RecordingOptions(unit: .g))
    #expect(read.samples.count == 100)
    #expect(read.summary.timestampFormat == .serialDays)
    #expect(read.summary.clockText(of: read.samples[0].nanoseconds) == "2026-05-04T08:15:00")
  }

  @Test("the first two lines of an Empatica E4 are its start and its sampling frequency")
  func triple() {
    let read = ReadRecording(
      "1777882500.00, 1777882500.00, 1777882500.00\n32.000000, 32.000000, 32.000000\n"
        + (0..<400).map { "\($0 % 9),2,63\n" }.joined())
    #expect(read.samples.count == 400)
    #expect(read.profile.samplingFrequency?.hertz == 32)
    #expect(read.summary.clockText(of: read.samples[0].nanoseconds) == "2026-05-04T08:15:00+00:00")
  }

  @Test("without names, the columns with gravity are the acceleration")
  func gyroscopeFirst() {
    let rows = (0..<300).map { row in
      "\(row * 20),\(row % 7 - 3),\(row % 5 - 2),\(row % 3 - 1),0.\(row % 4),0.1,0.9\n"
    }
    let read = ReadRecording(rows.joined())
    #expect(read.summary.columns == RecordingSummary.Columns(time: "1", x: "5", y: "6", z: "7"))
    #expect(read.warnings.contains { $0.contains("\(RecordingOption.columns)") })
  }

  /// A line of `sensor get` with x.
  private func shell(_ value: String, _ index: Int, channel: String = "3(accel_xyz)") -> String {
    "channel type=\(channel) index=0 shift=5 num_samples=1 value=\(5_000_000_000 + index * 20_000_000)ns\(value)\n"
  }

  @Test("Zephyr's sensor shell is read, despite its prompt, other channels and one axis per line")
  func sensorShell() {
    let prompt = "uart:~$ sensor get accel@18 accel_xyz gyro_xyz\n"
    let plain = prompt + (0..<100).map { shell(", (0.1, -0.2, \(9.8 + Double($0 % 9) / 10))", $0) }.joined()
    let others = (0..<100).map { index in
      prompt + shell(" (0.1, -0.2, \(9.8 + Double(index % 9) / 10))", index)
        + shell(", (1.5, 2.5, 3.5)", index, channel: "7(gyro_xyz)")
    }.joined()
    let single = (0..<100).map { index in
      shell(", (0.1)", index, channel: "0(accel_x)") + shell(", (-0.2)", index, channel: "1(accel_y)")
        + shell(", (\(9.8 + Double(index % 9) / 10))", index, channel: "2(accel_z)")
    }.joined()
    for text in [plain, others, single] {
      let read = ReadRecording(text)
      #expect(read.samples.count == 100 && read.warnings == [], "\(read.warnings)")
      #expect(read.nanoseconds.first == 5_000_000_000 && read.nanoseconds.last == 6_980_000_000)
      #expect(read.samples.first?.acceleration.z == Float(9.8 / 9.80665))
    }
  }

  @Test("Zephyr's polling sample and older shell have no times, so the sampling frequency is required")
  func untimedShell() {
    let boot = "*** Booting Zephyr OS build v3.7.0 ***\n"
    let polled =
      boot
      + (0..<100).map { "  fxos8700@1d [m/s^2]:    (    0.\($0 % 7),   -0.200000,    9.800000)\n" }.joined()
    let older = (0..<100).map { index in
      ["x =   0.\(index % 7)", "y =  -0.200000", "z =   9.800000"].enumerated()
        .map { "channel idx=\($0.offset) accel_\($0.element)\n" }.joined()
    }.joined()
    for text in [polled, older] {
      #expect(ReadRecording(text).error?.description.contains("\(RecordingOption.rate)") == true)
      let read = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
      #expect(read.samples.count == 100 && read.samples[3].acceleration.x == Float(0.3 / 9.80665))
    }
  }

  @Test("a boot loader's date before labelled lines is not a row")
  func bootDate() {
    let text =
      "ets Jun  8 2016 00:22:57\nrst:0x1\n"
      + (0..<100).map { "I (\(312 + $0 * 20)) mpu6050: acce_x:0.\($0 % 7), acce_y:-0.20, acce_z:0.97\n" }.joined()
    let read = ReadRecording(text, RecordingOptions(unit: .g, samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(read.samples.count == 100 && read.samples[3].acceleration == SIMD3(0.3, -0.2, 0.97))
  }

  /// More than the bytes of the beginning that is examined.
  private static let rows = 0..<60_000

  private func column(_ value: (Int) -> String) -> String { "[" + Self.rows.map(value).joined(separator: ", ") + "]" }

  @Test("a large object of columns is read from a file, compressed, and from a pipe")
  func largeColumns() {
    let t = column { "\(Double($0) / 50)" }
    let x = column { "0.\($0 % 10)" }
    let z = column { $0 == 59_999 ? "null" : "0.9\($0 % 7)" }
    let y = column { _ in "-0.1" }
    let plain = "{\"name\":\"walk\",\"time\":\(t),\n \"x\":\(x),\"y\":\(y),\"z\":\(z)}"
    let phyphox =
      "{\"buffer\":{\"accX\":{\"size\":0,\"buffer\":\(x)},\"accY\":{\"buffer\":\(y)},\"accZ\":{\"buffer\":\(z)},"
      + "\"acc_time\":{\"buffer\":\(t)}},\"status\":{\"measuring\":true}}"
    for text in [plain, phyphox] {
      let bytes = Array(text.utf8)
      for read in [ReadRecording(bytes), ReadRecording(gzip(bytes)), ReadRecording(bytes, pieces: 65_536)] {
        #expect(read.samples.count == 59_999 && read.error == nil)
        #expect(read.samples.last?.acceleration == SIMD3(0.8, -0.1, 0.91) && read.nanoseconds.last == 1_199_960_000_000)
      }
    }
    // Truncated in the last column.
    let cut = ReadRecording(Array(plain.utf8.dropLast(40_000)))
    #expect(cut.samples.count > 50_000 && cut.warnings.contains { $0.contains("is truncated") })
  }

  @Test("a large object with an array of samples is read sample by sample")
  func largeRows() {
    let rows = column { "{\"t\":\(Double($0) / 50),\"x\":0.\($0 % 10),\"y\":-0.1,\"z\":0.97}" }
    let read = ReadRecording("{\"device\":\"phone\",\"samples\":\(rows),\"count\":60000}")
    #expect(read.samples.count == 60_000 && read.nanoseconds.last == 1_199_980_000_000)
  }

  @Test("a message with a lost quote or brace costs only itself, and is reported", arguments: ["\"", "}", "]"])
  func damagedMessage(_ lost: String) throws {
    var messages = (0..<40).map { message in
      let samples = (message * 20..<message * 20 + 20).map {
        "{\"name\":\"acc\",\"time\":\(1_777_882_500_000 + $0 * 20),\"values\":{\"x\":\(x($0)),\"y\":0,\"z\":0.9}}"
      }
      return "{\"messageId\":\(message),\"payload\":[\(samples.joined(separator: ","))]}\n"
    }
    let place = try #require(messages[20].lastIndex(of: Character(lost)))
    messages[20].remove(at: place)
    for read in [ReadRecording(messages.joined()), ReadRecording(Array(messages.joined().utf8), pieces: 7)] {
      // Without its last quote, the message still has 19 whole samples, but cannot be read as JSON.
      #expect(read.samples.count == 780 && read.error == nil)
      #expect(read.warnings.contains { $0.hasPrefix("1 row was skipped") }, "\(read.warnings)")
    }
    // The last one may be incomplete.
    let cut = ReadRecording(String(messages.prefix(20).joined().dropLast(9)))
    #expect(cut.samples.count == 380 && cut.warnings.contains { $0.hasPrefix("1 row was skipped") })
  }

  @Test("JSON without samples is not reported as empty")
  func jsonWithoutSamples() {
    let pack = (0..<100).map {
      #"[{"bn":"acc/","n":"x","v":0.\#($0 % 10)},{"n":"y","v":0.2},{"n":"z","v":9.8}]"# + "\n"
    }
    #expect(ReadRecording(pack.joined()).error == .noSample(path: "walk.csv"))
  }

  @Test("a banner with numbers is not a row, and a filter's bandwidth is not a sampling frequency")
  func banner() {
    let banner = "Adafruit MPU6050 test!\nets Jul 29 2019 12:21:46\nFilter bandwidth set to: 21 Hz\n\n"
    let bare = banner + lines { "\(x($0)),0.0,0.9" }
    #expect(ReadRecording(bare).error?.description.contains("\(RecordingOption.rate)") == true)
    let options = RecordingOptions(unit: .g, samplingFrequency: SamplingFrequency(hertz: 50))
    #expect(ReadRecording(bare, options).samples.count == 100)
  }

  @Test("a damaged gzip member is lost alone, and zeros between members are skipped")
  func members() {
    func part(_ first: Int) -> [UInt8] { gzip(Array(plainRows(2000, from: first).utf8)) }
    let header = gzip(Array("t,x,y,z\n".utf8))
    let padding = [UInt8](repeating: 0, count: 700)
    let padded = ReadRecording(header + padding + part(0) + padding + part(2000))
    #expect(padded.samples.count == 4000)
    #expect(padded.warnings == [])
    var damaged = part(2000)
    for i in damaged.count / 2..<damaged.count / 2 + 40 { damaged[i] ^= 0x5A }
    let read = ReadRecording(header + part(0) + damaged + part(4000))
    #expect(read.samples.count >= 3990)
    let last = read.samples.suffix(1900).map(\.nanoseconds)
    #expect(zip(last, last.dropFirst()).allSatisfy { $1 - $0 == 20_000_000 })
    #expect(read.warnings.contains { $0.contains("damaged near byte") })
  }

  @Test(
    "escape sequences of JSON are decoded, and others stay",
    arguments: [
      (#"m\/s\u00b2"#, "m/s²"), (#"\ud83d\udc5f!"#, "👟!"), (#"\ud83dx"#, "\u{FFFD}x"), (#"\udc5f"#, "\u{FFFD}"),
      (#"\b\f\n\r\t\"\\"#, "\u{8}\u{C}\n\r\t\"\\"), (#"\q\u12"#, #"\q\u12"#), (#"\ud83d\n"#, "\u{FFFD}\n"),
      (#"\é\"#, #"\é\"#),
    ])
  func escapes(_ written: String, _ text: String) { #expect(JSONString.decoded(Array(written.utf8)[...]) == text) }
}
