import Accelerometry
import Foundation
import Testing

@testable import Recordings

@Suite("What once gave a wrong number without a word is read, or named", .timeLimit(.minutes(30)))
struct SilentErrorTests: MovingSensor {
  private func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

  @Test("UTF-8 that is appended to UTF-16, and the reverse, is read, and said", arguments: [true, false])
  func mixedEncodings(_ isWideFirst: Bool) {
    let lines = table("t,x,y,z\n") { "\(seconds($0)),\(row($0))" }.replacing("\n", with: "\r\n").split(
      separator: "\r\n", omittingEmptySubsequences: false
    ).map(String.init)
    let (first, second) = (lines[..<200].joined(separator: "\r\n") + "\r\n", lines[200...].joined(separator: "\r\n"))
    let bytes = isWideFirst ? [0xFF, 0xFE] + utf16(first) + Array(second.utf8) : Array(first.utf8) + utf16(second)
    let read = ReadRecording(bytes)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(!read.warnings.isEmpty)
  }

  @Test("columns below the name of a gyroscope are no acceleration, and those below the accelerometer's are")
  func columnsBelowSensors() {
    let column = { (axis: Int) in (0..<400).map { axes($0)[axis] }.joined(separator: ",") }
    let turns = (0..<400).map { turn($0).split(separator: ",")[0] }.joined(separator: ",")
    let gyroscope = "\"gyroscope\":{\"x\":[\(turns)],\"y\":[\(turns)],\"z\":[\(turns)]}"
    let times = (0..<400).map { seconds($0) }.joined(separator: ",")
    let read = ReadRecording(
      "{\(gyroscope),\"accelerometer\":{\"x\":[\(column(0))],\"y\":[\(column(1))],\"z\":[\(column(2))]},\"time\":[\(times)]}"
    )
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(ReadRecording("{\(gyroscope),\"time\":[\(times)]}").samples.isEmpty)
  }

  @Test("arrays of unequal length are told of")
  func unevenArrays() {
    let column = { (axis: Int, count: Int) in (0..<count).map { axes($0)[axis] }.joined(separator: ",") }
    let times = (0..<400).map { seconds($0) }.joined(separator: ",")
    let read = ReadRecording(
      "{\"t\":[\(times)],\"x\":[\(column(0, 400))],\"y\":[\(column(1, 250))],\"z\":[\(column(2, 400))]}")
    #expect(read.samples.count == 250)
    #expect(read.warnings.contains { $0.contains("different lengths (250 to 400 values)") }, "\(read.warnings)")
  }

  @Test("a change of the range is refused, and the parts are counted as it says", arguments: [2, 4, 8])
  func range(_ factor: Double) {
    let rows = 2000
    let text = table("ms,x,y,z\n", rows) { number in
      let scale = number < rows / 2 ? 16_384.0 : 16_384 / factor
      return
        "\(number * 20),\(axes(number).map { "\(Int(((Double($0) ?? 0) * scale).rounded()))" }.joined(separator: ","))"
    }
    let read = ReadRecording(text)
    #expect(read.error?.message.contains("after 20 s the mean acceleration of a second changes") == true)
    #expect(read.error?.message.contains("\(option: .window) and \(option: .unit)") == true)
    let window = TimeWindow(start: .sinceFirstSample(nanoseconds: 20_000_000_000), end: nil)
    let part = ReadRecording(
      text, RecordingOptions(unit: .raw(countsPerG: 16_384 / factor), window: window))
    #expect(part.error == nil && part.samples.count == rows / 2)
    let difference = part.samples[0].acceleration - plain(rows).samples[rows / 2].acceleration
    #expect((difference * difference).sum() < 1e-4)
  }

  @Test("columns that lines name for each tag are used, with their units")
  func columnsInLines() {
    let header =
      "$FLYS,1\n$COL,BARO,time,pressure,temperature\n$UNIT,BARO,s,Pa,deg C\n$COL,IMU,time,wx,wy,wz,ax,ay,az,temperature\n"
      + "$UNIT,IMU,s,deg/s,deg/s,deg/s,g,g,g,deg C\n$DATA\n"
    let text = table(header) { number in
      "$IMU,\(seconds(number)),\(turn(number)),\(row(number)),25.8\n$BARO,\(seconds(number)),97512.10,24.91"
    }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(read.summary.unit == .g)
  }

  @Test("millimetres per second squared are a unit", arguments: ["mm/s²", "mm/s^2"])
  func millimetres(_ unit: String) {
    let read = ReadRecording(
      table("t (s),x (\(unit)),y (\(unit)),z (\(unit))\n") {
        "\(seconds($0)),\(axes($0, 9806.65).joined(separator: ","))"
      })
    #expect(read.summary.unit == .raw(countsPerG: 9806.65))
    #expect(zip(read.samples, plain().samples).allSatisfy { abs($0.acceleration.z - $1.acceleration.z) < 0.001 })
  }

  @Test("strings of JSON may have decimal commas")
  func commasInStrings() {
    let text = table("") { number in
      let values = axes(number).map { "\"\($0.replacing(".", with: ","))\"" }
      return "{\"time\":\(number * 20),\"x\":\(values[0]),\"y\":\(values[1]),\"z\":\(values[2])}"
    }
    #expect(ReadRecording(text).samples.map(\.acceleration) == plain().samples.map(\.acceleration))
  }

  @Test("decimal commas between commas need no names, where zeros in front show the decimals")
  func commasWithoutNames() {
    let text = table("") { "\(seconds($0)),\(row($0))".replacing(".", with: ",") }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
  }

  @Test("eight bits around 127 for 2 g are readings of a converter")
  func eightBits() {
    let text = table("ms,x,y,z\n") { number in
      "\(number * 20),\(axes(number).map { "\(Int((127 + (Double($0) ?? 0) * 63).rounded()))" }.joined(separator: ","))"
    }
    let read = ReadRecording(text)
    #expect(
      zip(read.samples, plain().samples).allSatisfy { abs($0.acceleration.z - $1.acceleration.z) < 0.1 },
      "\(read.warnings)")
  }
}
