import Accelerometry
import Testing

@testable import Recordings

@Suite("What stands above and beside the rows does not decide how they are read", .timeLimit(.minutes(30)))
struct FirstRowTests {
  /// A moving sensor in g.
  private func axes(_ row: Int) -> [String] {
    [Double(100 + row * 7 % 90), -Double(100 + row * 5 % 80), Double(900 + row * 11 % 99)].map { "\($0 / 1000)" }
  }

  private func table(_ header: String, _ rows: Int = 400, _ line: (Int) -> String) -> String {
    header + (0..<rows).map { line($0) + "\n" }.joined()
  }

  private func decimals(_ hundredths: Int) -> String {
    "\(hundredths / 100)." + String(100 + hundredths % 100).dropFirst()
  }

  private func plain(_ rows: Int = 400) -> ReadRecording {
    ReadRecording(table("time,x,y,z\n", rows) { "\(decimals(2 * $0)),\(axes($0).joined(separator: ","))" })
  }

  /// The samples with the times since the first one.
  private func samples(_ read: ReadRecording) -> [AccelerationSample] {
    let first = read.nanoseconds.first ?? 0
    return read.samples.map { AccelerationSample(nanoseconds: $0.nanoseconds - first, acceleration: $0.acceleration) }
  }

  @Test("the end of a row, with which a log of a serial port begins, is skipped, and the columns are those of the rows")
  func cutOff() {
    let read = ReadRecording(
      table("-120,16012,33\n") { "\(4120 + 20 * $0),\(axes($0).joined(separator: ","))" })
    #expect(samples(read) == plain().samples)
    #expect(read.summary.rowsSkipped == 1 && read.summary.skipped[.missingValues]?.firstLine == 1)
  }

  @Test("a first row with one column more, for a comment, is a row")
  func longerFirst() {
    let read = ReadRecording(
      table("time,x,y,z,comment\n") { "\(decimals(2 * $0)),\(axes($0).joined(separator: ","))" + ($0 == 0 ? ",1" : "") }
    )
    #expect(samples(read) == plain().samples)
  }

  @Test("a first row with all named columns is a row, however many the next ones have")
  func narrowerFirst() {
    let read = ReadRecording(
      table("time,x,y,z\n") { "\(decimals(2 * $0)),\(axes($0).joined(separator: ","))" + ($0 == 0 ? "" : ",1") })
    #expect(samples(read) == plain().samples)
  }

  @Test("numbers in the head of a table whose rows begin with a date are none of its rows")
  func numbersAbove() {
    let head = "*NAME\nTIME;ACC x;ACC y;ACC z;T1\n*DELAY\n0;0;0;0;0\n*CHANNEL\n0;4;5;6;1\n*UNIT\n;G;G;G;C\n*DATA\n"
    let read = ReadRecording(
      table(head) { "2026-05-06 10:00:0\(decimals(2 * $0));\(axes($0).joined(separator: ";"));" })
    #expect(samples(read) == plain().samples)
  }

  @Test("columns of times in which nothing stands are no times, and the stated rate is used")
  func emptyTimes() {
    let read = ReadRecording(
      table("// Update Rate: 50.0Hz\nCounter\tTime\tSecond\tAcc_X\tAcc_Y\tAcc_Z\n") {
        "\($0 + 37)\t\t\t\(axes($0).joined(separator: "\t"))"
      })
    #expect(samples(read) == plain().samples)
    #expect(read.warnings.contains { $0.contains("using the 50 Hz stated in line 1") }, "\(read.warnings)")
  }

  @Test("an interval with a decimal comma is the stated rate, as one with a point", arguments: [",", "."])
  func interval(_ mark: String) {
    let head = "Delta_X\t0\(mark)020000\t0\(mark)020000\nX_Value\tBeschl_0\tBeschl_1\tBeschl_2\n"
    let rows = table("") { "\(decimals(2 * $0))\t\(axes($0).joined(separator: "\t"))" }
    let read = ReadRecording(head + rows.replacing(".", with: mark))
    #expect(samples(read) == plain().samples, "\(read.warnings) \(read.error.map { "\($0)" } ?? "")")
  }

  @Test(
    "Unix time in front of a message is its time",
    arguments: [" sensors/imu7/accel {", " {", ": {", ",{"])
  func unixTime(_ mark: String) {
    let names = ["x", "y", "z"]
    let read = ReadRecording(
      "1709283599.871 sensors/imu7/status online\n"
        + table("") { row in
          "\(1_709_283_600 + row / 50).\(String(100 + row % 50 * 2).dropFirst())0000000\(mark)"
            + zip(names, axes(row)).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
            + (row % 90 == 7 ? "\n1709283600.4 sensors/door/state {\"contact\":false,\"battery\":112}" : "")
        })
    #expect(samples(read) == plain().samples, "\(read.warnings) \(read.error.map { "\($0)" } ?? "")")
  }
}
