/// The tables to which Garmin's FitCSVTool converts FIT files: a message in each line, whose fields have their name, value and unit
/// in three cells. A message of the accelerometer has a time and a batch of samples:
///
///     Data,3,accelerometer_data,timestamp,"1078582051",s,timestamp_ms,"20",ms,sample_time_offset,"0|40|80",ms,accel_x,"32425|…
///
/// The calibrated acceleration is preferred to counts. Other messages become empty lines.
final class FITTableAdapter: LineAdapter {
  private static let header = Array("Type,Local Number,Message,Field 1,".utf8)
  private static let dialect = CSVDialect(delimiter: UInt8(ascii: ","))
  /// 1989-12-31T00:00Z, from which FIT counts seconds, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600

  var lines = TextLines()
  /// The names of the axes' fields, once a message has shown them.
  private var axes: [String]?

  init?(_ head: [UInt8]) { guard head.starts(with: Self.header) else { return nil } }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    let samples = samples(line)
    output += samples ?? []
    if samples == nil { output.append(0x0A) }
  }

  /// The rows of a message of the accelerometer; `nil` for any other line.
  private func samples(_ line: [UInt8]) -> [UInt8]? {
    let cells = Self.dialect.cells(of: line)
    guard cells.count > 5, cells[0] == "Data", cells[2] == "accelerometer_data" else { return nil }
    var message: [String: (values: [Substring], unit: String)] = [:]
    for place in stride(from: 3, to: cells.count - 2, by: 3) {
      message[cells[place]] = (cells[place + 1].split(separator: "|"), cells[place + 2])
    }
    let names =
      axes
      ?? ["calibrated_accel_", "accel_"].map { prefix in ["x", "y", "z"].map { prefix + $0 } }
      .first { $0.allSatisfy { message[$0] != nil } }
    guard let names, let seconds = message["timestamp"]?.values.first.flatMap({ Int64($0) }),
      (0..<1 << 32).contains(seconds),
      let milliseconds = message["timestamp_ms"]?.values.first.flatMap({ Int64($0) }),
      (0..<1 << 16).contains(milliseconds),
      let offsets = message["sample_time_offset"]?.values.map({ Int64($0) }),
      let unit = message[names[0]]?.unit
    else { return Array("damaged\n".utf8) }
    let values = names.map { message[$0]?.values ?? [] }
    var rows = ""
    if axes == nil {
      axes = names
      let title = ["g", "mG", "mg"].contains(unit) ? " (\(unit.lowercased()))" : ""
      rows = "time (ms)," + ["x", "y", "z"].map { "acceleration \($0)\(title)" }.joined(separator: ",") + "\n"
    }
    for (index, offset) in offsets.enumerated() {
      guard let offset, (0..<1 << 16).contains(offset), values.allSatisfy({ index < $0.count }) else {
        rows += "damaged\n"
        continue
      }
      let time = (Self.epoch + seconds) * 1000 + milliseconds + offset
      rows += "\(time),\(values.map { $0[index] }.joined(separator: ","))\n"
    }
    return Array(rows.utf8)
  }
}
