import Accelerometry
import TestSupport
import Testing

@testable import Recordings

/// A text whose format is known when the long line comes.
struct TextAbove: Sendable {
  var name: String
  var text: String

  static let all = [
    TextAbove(name: "nothing", text: ""),
    TextAbove(name: "a table", text: "t,x,y,z\n" + plainRows(60)),
    TextAbove(name: "numbers", text: (0..<60).map { "0.\($0) 0.02 0.98\n" }.joined()),
    TextAbove(
      name: "a table of sensors",
      text: "time,sensor,x,y,z\n"
        + (0..<60).map { "0.\(10 + $0),accelerometer,0,0.\($0),1\n0.\(10 + $0),gyroscope,1,2,3\n" }.joined()),
    TextAbove(
      name: "JSON lines", text: (0..<60).map { "{\"t\":0.\(10 + $0),\"x\":0.1,\"y\":0,\"z\":1}\n" }.joined()),
    TextAbove(
      name: "JSON messages",
      text: "{\"values\":["
        + (0..<300).map { "{\"t\":\($0),\"x\":0.1,\"y\":0,\"z\":1}" }.joined(separator: ",") + "]}\n"),
    TextAbove(name: "a printed JSON document", text: "{\n\"a\": [\n" + String(repeating: "1,\n", count: 60)),
    TextAbove(name: "names and numbers", text: (0..<60).map { "ax=0.\($0),ay=0.02,az=0.98\n" }.joined()),
    TextAbove(name: "parentheses", text: (0..<60).map { "got (0.\($0), 0.02, 0.98) [g]\n" }.joined()),
    TextAbove(name: "Teleplot", text: (0..<60).map { ">ax:\($0):0.1\n>ay:\($0):0\n>az:\($0):1\n" }.joined()),
    TextAbove(
      name: "Zephyr", text: (0..<60).map { "fxos8700@1d [m/s^2]:    (  0.\($0), -0.3, 9.8)\n" }.joined()),
    TextAbove(
      name: "evtest",
      text: "Input driver version is 1.0.1\n"
        + (0..<60).map { "Event: time 1.\($0), type 3 (EV_ABS), code \($0 % 3) (ABS_X), value \($0)\n" }.joined()),
    TextAbove(name: "evemu", text: "# EVEMU 1.3\n" + (0..<60).map { "E: 0.0\($0) 0003 000\($0 % 3) 0012\n" }.joined()),
    TextAbove(
      name: "libinput",
      text: "# libinput record\n" + (0..<60).map { "- [  0, \($0),   3,   \($0 % 3),    12] # EV_ABS\n" }.joined()),
    TextAbove(
      name: "ROS",
      text: "header:\n  stamp:\n    sec: 1\n    nanosec: 2\nlinear_acceleration:\n  x: 1\n  y: 2\n  z: 3\n---\n"),
  ]
}

@Suite("Long lines", .timeLimit(.minutes(30)))
struct LongLineTests {
  /// Bytes that arrive as those of a live source do.
  private final class Supply: ByteSupply {
    private var bytes: ArraySlice<UInt8>
    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
      let count = min(bytes.count, target.count)
      unsafe bytes.prefix(count).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
      bytes.removeFirst(count)
      return count
    }
  }

  private static func read(_ bytes: [UInt8]) {
    var options = RecordingOptions(unit: .g)
    options.measuredFrequency = SamplingFrequency(hertz: 50)
    _ = ReadRecording(RecordingReader(Supply(bytes), name: "walk.csv", options: options))
  }

  @Test("the measure of these tests tells quadratic work from linear work")
  func measure() {
    var sum = 0
    let linear = LongLines.superlinear(from: 128, ["x"]) { line in
      for byte in line { for factor in 0..<50 { sum &+= Int(byte) &* factor } }
    }
    let quadratic = LongLines.superlinear(from: 128, ["x"]) { line in
      for byte in line { for other in line { sum &+= Int(byte) &* Int(other) } }
    }
    #expect(linear == [] && quadratic == ["x"] && sum != 0)
  }

  @Test("a long line takes no more work per byte than a short one", arguments: TextAbove.all.indices)
  func lines(_ index: Int) {
    let (before, after) = (Array(TextAbove.all[index].text.utf8), Array("\n0.1,0.2,0.3,1\n".utf8))
    // All pieces below nothing, and a third of them below each known format, so that each is below five.
    let pieces = LongLines.pieces.indices.filter { index == 0 || $0 < 2 || $0 % 3 == index % 3 }
    let superlinear = LongLines.superlinear(pieces.map { LongLines.pieces[$0] }) { Self.read(before + $0 + after) }
    #expect(superlinear == [], "below \(TextAbove.all[index].name)")
  }

  @Test(
    "many short lines take no more work per byte than a few",
    arguments: [
      "{\"a\":\n", "{\n", "[\n", "\n", "[[\n", "1\n", "{\"name\":\"gravity\",\"t\":1,\"x\":0,\"y\":0,\"z\":1}\n",
    ])
  func manyLines(_ line: String) {
    #expect(LongLines.superlinear(["[\n" + line, line]) { Self.read($0) } == [])
  }

  @Test("a message with a long value takes no more work per byte than a short one")
  func messages() {
    #expect(LongLines.superlinear { _ = SampleMessage($0) } == [])
    let names = ["{\"", "{\"name\":\"", "{\"a\":\"{"]
    for name in names {
      let (before, after) = (Array(name.utf8), Array("\":[[1,2,3],[1,2,3]]}".utf8))
      #expect(LongLines.superlinear { _ = SampleMessage(before + $0 + after) } == [])
    }
    // A long name above many samples, and many names.
    #expect(
      LongLines.superlinear(["[1,2,3],"]) {
        _ = SampleMessage(Array("{\"".utf8) + LongLines.line(of: "acc", length: $0.count) + Array("\":[".utf8) + $0)
      } == [])
    #expect(
      LongLines.superlinear(["x"]) { line in
        let members = (0..<line.count / 8).map { "\"s\($0)x\":1" }.joined(separator: ",")
        _ = SampleMessage(Array("{\(members)}".utf8))
      } == [])
  }

  @Test("the unit behind a number is a short word")
  func units() {
    let line = Array("a 1.5 m/s², b 2 \(String(repeating: "g", count: 100)), c 3g".utf8)
    let items = LineItems.of(line, most: 8)
    #expect(items.map(\.unit) == [.metresPerSecondSquared, nil, .g])
    #expect(LineItems.of(LongLines.line(of: "1 ", length: 1000), most: 8).count == 8)
  }

  @Test("carriage returns inside lines are ignored; two before the first line feed end lines, as on old Macs")
  func carriageReturns() {
    let rows = plainRows(200).split(separator: "\n")
    let lines = rows.enumerated().map { index, row in
      row.prefix(index % 5) + (index % 9 == 4 ? "\r" : "") + row.dropFirst(index % 5) + "\n"
    }
    let stray = "t,x\r,y,z\n" + lines.joined()
    let plain = ReadRecording("t,x,y,z\n" + plainRows(200))
    for read in [ReadRecording(stray), ReadRecording(Array(stray.utf8), pieces: 7)] {
      #expect(read.samples == plain.samples)
      #expect(read.warnings.contains { $0.hasPrefix("carriage returns inside") }, "\(read.warnings)")
    }
    let old = ReadRecording("t,x,y,z\r" + rows.joined(separator: "\r"))
    #expect(old.samples == plain.samples && old.warnings == plain.warnings)
    let doubled = ReadRecording("t,x,y,z\r\r\n" + rows.joined(separator: "\r\r\n") + "\r\r\n")
    #expect(doubled.samples == plain.samples && doubled.warnings == plain.warnings)
  }

  @Test("carriage returns inside lines with names cost no sample, and are reported")
  func carriageReturnsAmongNames() {
    let rows = (0..<200).map { "t:\($0 * 20) ax:0.\(1 + $0 % 3) ay:0.0 az:0.98\r\n" }
    let stray = rows.enumerated().map { index, row in
      index % 9 == 4 ? row.prefix(index % 20) + "\r" + row.dropFirst(index % 20) : row[...]
    }
    let plain = ReadRecording(rows.joined())
    #expect(plain.samples.count == 200 && plain.warnings == [])
    for read in [ReadRecording(stray.joined()), ReadRecording(Array(stray.joined().utf8), pieces: 7)] {
      #expect(read.samples == plain.samples)
      #expect(read.warnings.contains { $0.hasPrefix("carriage returns inside 22 lines") }, "\(read.warnings)")
    }
  }

  @Test("a line of evtest that ends with a name is skipped")
  func evtest() {
    let text = "Input driver version is 1.0.1\nEvent: time 1, value 5, code 0, type\n"
    #expect(ReadRecording(text).samples.isEmpty)
  }
}
