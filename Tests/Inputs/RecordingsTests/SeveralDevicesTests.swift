import Accelerometry
import Testing

@testable import Recordings

@Suite("Rows of several devices: one is read, and it is said which", .timeLimit(.minutes(30)))
struct SeveralDevicesTests {
  private static let devices = ["left", "Right"]

  /// Moving sensors in g; the second one lies on its side.
  private static func axes(_ device: Int, _ row: Int) -> String {
    let (a, b, c) = ("0.\(100 + row * 7 % 90)", "-0.\(100 + row * 5 % 80)", "0.\(900 + row * 11 % 99)")
    return device == 0 ? "\(a),\(b),\(c)" : "\(c),\(a),\(b)"
  }

  /// The rows of a device at 50 Hz.
  private static func rows(_ device: Int, count: Int = 400) -> [String] {
    (0..<count).map { row in
      let time = "\(row / 50)." + (row % 50 < 5 ? "0" : "") + "\(row % 50 * 2)"
      return "\(time),\(devices[device]),\(axes(device, row))"
    }
  }

  private static func text(_ header: String, _ rows: [String]) -> String {
    "\(header)\n" + rows.map { $0 + "\n" }.joined()
  }

  /// By turns, or one device after the other.
  private static func both(_ header: String = "time,device,x,y,z", stacked: Bool) -> String {
    let (first, second) = (rows(0), rows(1))
    return text(header, stacked ? first + second : zip(first, second).flatMap { [$0, $1] })
  }

  private static func alone(_ device: Int) -> [AccelerationSample] {
    ReadRecording(text("time,device,x,y,z", rows(device))).samples
  }

  @Test("a device is chosen by its name in any column", arguments: ["time,device,x,y,z", "time,place,x,y,z"], [0, 1])
  func chosen(_ header: String, _ device: Int) {
    var options = RecordingOptions()
    options.device = Self.devices[device].uppercased()
    let read = ReadRecording(Self.both(header, stacked: false), options)
    #expect(read.error == nil)
    #expect(read.samples == Self.alone(device) && read.samples.count == 400)
    #expect(!read.warnings.contains { $0.contains("told apart") }, "\(read.warnings)")
  }

  @Test("the rows of a second device below those of the first are left out, counted and named")
  func below() {
    let read = ReadRecording(Self.both(stacked: true))
    #expect(read.samples == Self.alone(0))
    let words = "400 rows of other devices, sensors or people (Right) were not used, the first in line 402"
    #expect(read.warnings.contains { $0.contains(words) && $0.contains("RecordingOptions.device") }, "\(read.warnings)")
  }

  @Test("a device whose rows begin far below is chosen by its name")
  func chosenBelow() {
    var options = RecordingOptions()
    options.device = "right"
    let read = ReadRecording(Self.both(stacked: true), options)
    #expect(read.error == nil)
    #expect(read.samples == Self.alone(1) && read.samples.count == 400)
  }

  @Test("JSON Lines: a device is chosen by its name")
  func lines() {
    func line(_ row: String) -> String {
      let cells = row.split(separator: ",")
      return #"{"t":\#(cells[0]),"device":"\#(cells[1])","x":\#(cells[2]),"y":\#(cells[3]),"z":\#(cells[4])}"# + "\n"
    }
    let all = zip(Self.rows(0), Self.rows(1)).map { line($0) + line($1) }.joined()
    var options = RecordingOptions()
    options.device = "Right"
    #expect(ReadRecording(all, options).samples == ReadRecording(Self.rows(1).map(line).joined()).samples)
  }

  @Test("a name that no row has is refused with the names there are", arguments: [false, true])
  func unknown(stacked: Bool) {
    var options = RecordingOptions()
    options.device = "middle"
    let read = ReadRecording(Self.both(stacked: stacked), options)
    #expect(read.error?.code == .unknownDevice && read.error?.kind == .usage)
    #expect(read.error?.names == ["Right", "left"])
    let plain = ReadRecording(
      Self.text("time,x,y,z", (0..<400).map { "\(Double($0) / 50),\(Self.axes(0, $0))" }), options)
    #expect(plain.error?.message.contains("only tables and JSON Lines with a column of names") == true)
  }
}
