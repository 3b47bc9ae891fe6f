/// Tables with the samples of several sensors, which a column names:
///
///     timestamp,sensor,x,y,z
///     1778062272000,accelerometer,0.12,0.04,9.68
///     1778062272003,gyroscope,0.01,-0.02,0.00
///
/// Rows of other sensors become empty lines.
final class SensorColumnAdapter: TextAdapter {
  private let dialect: CSVDialect
  private let column: Int
  /// The name of the accelerometer, as the table writes it.
  private let name: [UInt8]
  private var lines = TextLines()
  private var fields: [Range<Int>] = []
  private var hasHeader = false

  private static let titles: Set = ["sensor", "type", "name", "source", "stream", "kind"]

  init?(_ head: [UInt8]) {
    let text = head.split(separator: 0x0A).prefix(Self.mostLines).map(Array.init)
    guard let first = text.first, let title = Self.title(of: first) else { return nil }
    (dialect, column) = title
    var names: [[UInt8]] = []
    for line in text.dropFirst() {
      if let name = Self.field(line, dialect, column), !names.contains(name) { names.append(name) }
    }
    guard
      let best = names.compactMap({ name in Self.rank(name).map { (rank: $0, name: name) } })
        .min(by: { $0.rank < $1.rank }), best.rank < Self.otherSensor,
      names.contains(where: { $0 != best.name && Self.rank($0) != nil })
    else { return nil }
    name = best.name
  }

  /// A quarter of a second of several fast sensors.
  private static let mostLines = 400

  /// Whether a first line has a column that may name sensors.
  static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool { title(of: Array(line)) != nil }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    lines.add(input, isLast: isLast, into: &output) { line, output in
      let line = Array(line)
      if !hasHeader || isNamed(line) { output += line }
      hasHeader = true
      output.append(0x0A)
    }
  }

  private func isNamed(_ line: [UInt8]) -> Bool {
    dialect.split(line.span, line.indices, limit: column + 1, into: &fields)
    return column < fields.count && line[fields[column]].elementsEqual(name)
  }

  private static func field(_ line: [UInt8], _ dialect: CSVDialect, _ column: Int) -> [UInt8]? {
    var fields: [Range<Int>] = []
    dialect.split(line.span, line.indices, limit: column + 1, into: &fields)
    return column < fields.count ? Array(line[fields[column]]) : nil
  }

  /// The column that names sensors, in a header with at least five columns.
  private static func title(of line: [UInt8]) -> (CSVDialect, Int)? {
    guard line.count <= LineBuffer.longestLine else { return nil }
    for dialect in CSVDialect.candidates {
      var fields: [Range<Int>] = []
      dialect.split(line.span, line.indices, limit: 16, into: &fields)
      guard fields.count >= 5 else { continue }
      let names = fields.map { field in
        String(decoding: line[field], as: UTF8.self).lowercased().filter { $0 != "_" && $0 != " " }
      }
      if let column = names.firstIndex(where: { titles.contains($0) || $0.hasPrefix("sensor") }) {
        return (dialect, column)
      }
    }
    return nil
  }

  private static let otherSensor = 2

  /// 0 for an accelerometer, 1 for one without gravity, 2 for another sensor; `nil` if it is none.
  private static func rank(_ name: [UInt8]) -> Int? {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    if text.holds("acc") { return text.holds("lin") || text.holds("user") ? 1 : 0 }
    let others = [
      "gyr", "mag", "grav", "rot", "orient", "press", "baro", "light", "temp", "heart", "ppg", "gps", "loc",
    ]
    return others.contains { text.holds($0) } ? otherSensor : nil
  }
}
