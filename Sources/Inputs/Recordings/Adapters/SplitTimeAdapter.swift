import Platform

/// Tables whose time is in several columns: `hour,min,sec,ms`, `tv_sec,tv_usec`, or `14:02:10` and `msec`. A joined time is
/// written in front of each row, in seconds.
final class SplitTimeAdapter: LineAdapter {
  private let dialect: CSVDialect
  private let parts: [(column: Int, nanoseconds: Int64)]
  private let header: Int
  var lines = TextLines()
  private var number = 0
  /// The latest time, and the whole days before it, in nanoseconds.
  private var (last, midnights): (Int64, Int64) = (0, 0)

  private static let day: Int64 = 86_400_000_000_000

  init?(_ head: TextHead) {
    let (lines, dialects) = (head.lines, head.dialects)
    for (number, line) in lines.enumerated() {
      for dialect in dialects {
        let names = dialect.cells(of: line)
        guard names.count >= 5 else { continue }
        guard let parts = Self.parts(of: names) ?? Self.clockParts(of: names) else { continue }
        let rows = lines[(number + 1)...].compactMap { Self.values(Array($0), parts.map(\.column), dialect) }
        guard rows.count >= 3, Self.explains(rows, parts.map(\.nanoseconds)) else { continue }
        (self.dialect, self.parts, header) = (dialect, parts, number + 1)
        return
      }
    }
    return nil
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    number += 1
    if number >= header, !line.isEmpty {
      var values = Self.values(line, parts.map(\.column), dialect)
      // Beyond the times of recordings.
      if zip(values ?? [], parts).reduce(0.0, { $0 + $1.0 * Double($1.1.nanoseconds) }) >= 4e18 { values = nil }
      var time = zip(values ?? [], parts).reduce(Int64(0)) { $0 + Int64($1.0 * Double($1.1.nanoseconds)) }
      if values != nil {
        // A time of day begins again at midnight.
        if time < last, last - time > Self.day / 2, last < Self.day { midnights += Self.day }
        last = time
        time += midnights
      }
      output += Array((number == header ? "joined time (s)" : values == nil ? "" : Self.text(time)).utf8)
      output.append(dialect.delimiter)
    }
    output += line
    output.append(0x0A)
  }

  /// Seconds with nine decimals.
  private static func text(_ nanoseconds: Int64) -> String {
    "\(nanoseconds / 1_000_000_000).\((nanoseconds % 1_000_000_000).padded(9))"
  }

  /// The columns that the names say are parts of one time: seconds, and what they consist of or are part of.
  private static func parts(of names: [String]) -> [(column: Int, nanoseconds: Int64)]? {
    var parts: [(column: Int, nanoseconds: Int64)] = []
    for (column, name) in names.enumerated() {
      let words = name.lowercased().split { !$0.isLetter }
      // A speed in m/s or m s⁻¹ is not a time.
      let isRate = name.contains("/") || name.reversed().drop { ")] \"".contains($0) }.first?.isLetter == false
      guard let unit = words.last.flatMap({ nanoseconds(of: String($0)) }), words.count <= 3, !isRate,
        !parts.contains(where: { $0.nanoseconds == unit })
      else { continue }
      parts.append((column, unit))
    }
    // Without minutes, `hr` is a heart rate.
    if !parts.contains(where: { $0.nanoseconds == 60_000_000_000 }) {
      parts.removeAll { $0.nanoseconds > 60_000_000_000 }
    }
    let sizes = parts.map(\.nanoseconds)
    return parts.count > 1 && sizes.contains(1_000_000_000) ? parts : nil
  }

  /// The columns of a time of day in whole seconds and of its fraction.
  private static func clockParts(of names: [String]) -> [(column: Int, nanoseconds: Int64)]? {
    var (clock, fraction): (Int?, (column: Int, nanoseconds: Int64)?) = (nil, nil)
    for (column, name) in names.enumerated() {
      let words = name.lowercased().split { !$0.isLetter }
      if words == ["time"] { clock = clock ?? column }
      if words.count == 1, let unit = nanoseconds(of: String(words[0])), unit < 1_000_000_000, fraction == nil {
        fraction = (column, unit)
      }
    }
    guard let clock, let fraction else { return nil }
    return [(clock, 1_000_000_000), fraction]
  }

  /// The nanoseconds of a unit of time.
  private static func nanoseconds(of unit: String) -> Int64? {
    switch unit {
    case "hour", "hours", "hr", "h", "hh": 3_600_000_000_000
    case "minute", "minutes", "min", "mm": 60_000_000_000
    case "ss": 1_000_000_000
    default: ColumnName.partsOfSecond(unit).map { Int64(1e9 / $0) }
    }
  }

  private static func values(_ line: [UInt8], _ columns: [Int], _ dialect: CSVDialect) -> [Double]? {
    let fields = dialect.fields(of: line)
    let values = columns.compactMap { column -> Double? in
      guard column < fields.count else { return nil }
      let field = fields[column]
      if line[field].contains(UInt8(ascii: ":")) {
        return DateTimeText.parseTimeOfDay(line.span, field).flatMap {
          $0 % 1_000_000_000 == 0 ? Double($0) * 1e-9 : nil
        }
      }
      return RowColumns.value(line.span, field, decimalComma: dialect.decimalComma)
    }
    return values.count == columns.count && values.allSatisfy { $0 >= 0 && $0 < 1e10 } ? values : nil
  }

  /// Whether each part is smaller than one of the next larger part, all but the smallest are whole, and the joined time never
  /// goes back.
  private static func explains(_ rows: [[Double]], _ sizes: [Int64]) -> Bool {
    let smallest = sizes.min()
    for row in rows {
      for (index, size) in sizes.enumerated() {
        if size != smallest, row[index] != row[index].rounded() { return false }
        guard let larger = sizes.filter({ $0 > size }).min() else { continue }
        if row[index] * Double(size) >= Double(larger) { return false }
      }
    }
    let times = rows.map { row in zip(row, sizes).reduce(0) { $0 + $1.0 * Double($1.1) } }
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } && times.first != times.last
  }
}
