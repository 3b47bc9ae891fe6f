import Accelerometry
import Testing

@testable import Recordings

/// Layouts that programs export, with 300 samples at 50 Hz, which have different axes of about one gravity together.
@Suite("Layouts of programs", .timeLimit(.minutes(30)))
struct ProgramLayoutTests {
  private static func x(_ row: Int) -> Double { 0.3 + Double(row % 7) / 100 }
  private static func y(_ row: Int) -> Double { -0.8 + Double(row % 5) / 100 }
  private static func z(_ row: Int) -> Double { 0.5 + Double(row % 3) / 100 }

  private func rows(_ row: (Int) -> String) -> String { (0..<300).map { row($0) + "\n" }.joined() }

  /// Expects all samples, at 50 Hz, with the acceleration in g.
  private func expectWalk(_ read: ReadRecording, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(read.error == nil && read.samples.count == 300, sourceLocation: sourceLocation)
    guard read.samples.count == 300 else { return }
    #expect(read.nanoseconds[299] - read.nanoseconds[0] == 299 * 20_000_000, sourceLocation: sourceLocation)
    for row in [0, 8, 299] {
      let expected = SIMD3<Float>(Float(Self.x(row)), Float(Self.y(row)), Float(Self.z(row)))
      let difference = read.samples[row].acceleration - expected
      #expect((difference * difference).sum() < 1e-4, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "axes that are numbered like an array are x, y and z",
    arguments: [
      ("accelerometer_m_s2[0],accelerometer_m_s2[1],accelerometer_m_s2[2]", 9.80665),
      ("\"accSmooth[0]\",\"accSmooth[1]\",\"accSmooth[2]\"", 2048), ("accel(0),accel(1),accel(2)", 1),
    ])
  func indices(names: String, scale: Double) {
    let text = rows {
      "\(100_000 + $0 * 20_000),1,2,-1,\(Self.x($0) * scale),\(Self.y($0) * scale),\(Self.z($0) * scale)"
    }
    expectWalk(ReadRecording("time (us),gyro_rad[0],gyro_rad[1],gyro_rad[2],\(names)\n" + text))
  }

  @Test("names that contain numbers are names, also where commas and blanks separate them")
  func numberedNames() {
    let text = rows {
      "\($0 % 256), \(-2000 + $0 % 9).25, \(900 - $0 % 4).5, \(Self.x($0)), \(Self.y($0)), \(Self.z($0)),"
        + " \(1_777_882_500 + Double($0) / 50)"
    }
    let names =
      "Sample Index, EXG Channel 0, EXG Channel 1, Accel Channel 0, Accel Channel 1, Accel Channel 2, Timestamp"
    expectWalk(ReadRecording("%Number of channels = 2\n\(names)\n" + text))
  }

  @Test("a label before the names of the columns is not one of them")
  func label() {
    let text = rows {
      "\(Double($0) / 50),\(Int(Self.x($0) * 2048)),\(Int(Self.y($0) * 2048)),\(Int(Self.z($0) * 2048))"
    }
    expectWalk(ReadRecording(";Title, a logger\n;SampleRate, 50,Hz\n;Headers, time,Ax,Ay,Az\n" + text))
  }

  @Test("JSON Lines with the samples in 'fields' are read")
  func fields() {
    let text = rows {
      #"{"fields":{"x":\#(Self.x($0)),"y":\#(Self.y($0)),"z":\#(Self.z($0))},"name":"mqtt","timestamp":\#(1_777_882_500_000 + $0 * 20)}"#
    }
    expectWalk(ReadRecording(text))
  }

  @Test("a time in brackets before three numbers is their time", arguments: [" ", "\t", ","])
  func bracket(separator: String) {
    let text = rows {
      let time = "08:15:0\($0 / 50).\(String(1000 + $0 % 50 * 20).dropFirst())"
      return "[\(time)] " + [Self.x($0), Self.y($0), Self.z($0)].map { "\($0)" }.joined(separator: separator)
    }
    expectWalk(ReadRecording(text))
  }

  @Test("where the date cannot be read, another column of times is used")
  func date() {
    let text = rows {
      "04/05/26 08.15.0\($0 / 50).000,\($0 * 20),pad,\(Self.x($0) * 1000),\(Self.y($0) * 1000),\(Self.z($0) * 1000)"
    }
    expectWalk(ReadRecording("Date,HostTimestamp,NodeName,X (mg),Y (mg),Z (mg)\n" + text))
  }

  @Test("without names, constant columns and those with missing numbers are not used as axes")
  func otherColumns() {
    let text = rows {
      let acceleration = "\(Self.x($0) * 9.80665) \(Self.y($0) * 9.80665) \(Self.z($0) * 9.80665)"
      return "\(8 + Double($0) / 50) 4 \($0 % 5 == 0 ? "98" : "NaN") 30.1 \(acceleration) 0.0\($0 % 4) 0.02 0.03"
    }
    let read = ReadRecording(text)
    expectWalk(read)
    #expect(read.warnings.contains { $0.contains("using 5, 6 and 7") }, "\(read.warnings)")
  }

  @Test("row numbers are not times where a sampling frequency is stated")
  func rowNumbers() {
    let read = ReadRecording("# sampling rate: 50 Hz\n" + rows { "\($0) \(Self.x($0)) \(Self.y($0)) \(Self.z($0))" })
    expectWalk(read)
    #expect(read.warnings.contains { $0.contains("row numbers; using the stated sampling frequency") })
    #expect(read.warnings.contains { $0.contains("the 50 Hz stated in line 1") }, "\(read.warnings)")
  }
}
