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

  @Test("a range that changes back is refused as well, by the first change", arguments: [2, 4, 8])
  func rangeAndBack(_ factor: Double) {
    let text = table("ms,x,y,z\n", 2000) { number in
      let scale = (500..<1300).contains(number) ? 16_384 / factor : 16_384.0
      return
        "\(number * 20),\(axes(number).map { "\(Int(((Double($0) ?? 0) * scale).rounded()))" }.joined(separator: ","))"
    }
    let read = ReadRecording(text)
    #expect(
      read.error?.message.contains("after 10 s the mean acceleration of a second changes") == true,
      "\(read.samples.count)")
  }

  @Test(
    "a blank in a name does not separate columns that another mark separates", arguments: ["\t", ",", " ,", ", ", ";"])
  func blankInName(_ mark: String) {
    let text = table(["Time (ms)", "X", "Y", "Z", "T"].joined(separator: mark) + "\n") { number in
      (["\(number * 20)"] + axes(number) + ["25"]).joined(separator: mark)
    }
    let read = ReadRecording(text)
    #expect(read.samples.map(\.acceleration) == plain().samples.map(\.acceleration), "\(read.error?.message ?? "")")
    #expect(times(read) == (0..<400).map { $0 * 20_000_000 })
  }

  @Test(
    "commas in front of blanks separate columns whose decimals have commas, too", arguments: [", ", " , ", ",  "],
    ["", "t, x, y, z\n"])
  func commasWithBlanks(_ mark: String, _ header: String) {
    let text = table(header) { number in
      ([seconds(number)] + axes(number)).joined(separator: mark).replacing(".", with: ",")
    }
    let read = ReadRecording(text)
    #expect(read.samples == plain().samples, "\(read.error?.message ?? "")")
    #expect(read.warnings.contains { $0.contains("commas in front of blanks") }, "\(read.warnings)")
    let selected = ReadRecording(text, RecordingOptions(columns: ["1", "2", "3", "4"]))
    #expect(selected.samples == read.samples)
    // A row with a comma too many is no row.
    let damaged = ReadRecording(text.replacing("\n6,20", with: "\n6,20,1"))
    #expect(damaged.samples.count == 399 && damaged.summary.skipped[.notNumbers]?.count == 1)
  }

  @Test("a blank behind some commas of integers makes no decimals of them")
  func unevenBlanks() {
    let text = table("ms,x, y, z\n") {
      "\($0 * 20),\(axes($0, 1000).map { $0.replacing(".0", with: "") }.joined(separator: ", "))"
    }
    #expect(ReadRecording(text).samples.map(\.acceleration.z).allSatisfy { (0.8...1.1).contains($0) })
  }

  @Test(
    "parts of a second without zeros in front are milliseconds, behind seconds and in times of day",
    arguments: ["", "10:5:", "10:05:", "2024-05-06 10:05:", "5/6/2024 10:5:"], [10, 20])
  func unpaddedTimes(_ front: String, _ step: Int) {
    let text = table("time,x,y,z\n") { number in
      let time = number * step
      return "\(front)\(time / 1000).\(time % 1000),\(row(number))"
    }
    let read = ReadRecording(text)
    #expect(times(read) == (0..<400).map { Int64($0 * step) * 1_000_000 }, "\(read.error?.message ?? "")")
    #expect(read.warnings.contains { $0.contains("no zeros in front") }, "\(read.warnings)")
    #expect(ReadRecording(Array(text.utf8), pieces: 50).samples == read.samples)
  }

  @Test(
    "row numbers with gaps are row numbers if the sampling frequency is given, and otherwise columns are not offered")
  func rowNumbers() {
    let rows = (0..<500).filter { $0 % 23 != 22 }
    let text = rows.map { "\($0),\(row($0))\n" }.joined()
    let read = ReadRecording(text, RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50)))
    #expect(times(read) == rows.indices.map { Int64($0) * 20_000_000 })
    #expect(read.warnings.contains { $0.contains("read as row numbers") }, "\(read.warnings)")
    let error = ReadRecording("seq,x,y,z\n" + text).error
    #expect(error?.code == .noTimestamps)
    #expect(
      error?.message.hasSuffix("state the sampling frequency with \(option: .rate)") == true, "\(error?.message ?? "")")
  }

  @Test(
    "names in mid-file may be separated otherwise than those above", arguments: [(",", ";"), (";", ","), ("\t", ",")])
  func otherSeparator(_ first: String, _ second: String) {
    let text = (0..<400).map { number in
      let mark = number < 200 ? first : second
      let header = number % 200 == 0 ? ["t", "x", "y", "z"].joined(separator: mark) + "\n" : ""
      return header + ([seconds(number)] + axes(number)).joined(separator: mark) + "\n"
    }.joined()
    let read = ReadRecording(text)
    #expect(read.samples == plain().samples)
    #expect(read.warnings.contains { $0.contains("the names in line 202") }, "\(read.warnings)")
  }

  @Test("an axis at its limit says nothing of the unit", arguments: ["16", "-32768"])
  func unitBesideStuckAxis(_ value: String) {
    let read = ReadRecording(
      table("time,x,y,z\n", 600) { "\(seconds($0)),\(value),\(axes($0).dropFirst().joined(separator: ","))" })
    #expect(read.summary.unit == .g && read.samples.last?.acceleration.x == Float(value))
  }
}
