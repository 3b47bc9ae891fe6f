/// Long tables: one value a row, with its time and its name, as data bases and brokers write them.
///
///     time,name,value                       1709647330.000 home/imu/accel/x 0.7230
///     1709647330000,accelX,0.0737           1709647330.001 home/imu/accel/y 2.0159
///     1709647330000,accelY,0.2056           1709647330.002 home/imu/accel/z 9.5840
///     1709647330000,accelZ,0.9773           1709647330.020 home/imu/accel/x 0.6967
///
///     accel{axis="x",instance="pi"} 0.1075 1709647330000
///
/// The three axes of a sample become one row, at the time of the first of them. Other rows, also those of other sensors and
/// devices, become empty lines.
final class LongTableAdapter: TextAdapter {
  /// What a row says of one axis.
  private struct Reading {
    var time: [UInt8]
    var axis: Int
    var value: [UInt8]
  }

  /// Which columns hold what, and the name of the axes without their letter.
  private struct Layout {
    var dialect: CSVDialect
    var (time, name, value): (Int, Int, Int)
    var stem: [UInt8]
    /// The axis with which a sample begins.
    var firstAxis = 0
    /// Another column that tells devices apart, and the device whose rows are used.
    var device: (column: Int, name: [UInt8])?
    var timeName = "time"
    var remarks: [String] = []
  }

  private let layout: Layout
  private var lines = TextLines()
  private var fields: [Range<Int>] = []
  private var hasHeader = false
  private var sample: [[UInt8]?] = [nil, nil, nil]
  private var time: [UInt8] = []
  /// Samples of which an axis is missing.
  private var incomplete = 0
  private(set) var remarks: [String] = []

  /// Three samples.
  private static let fewestRows = 9

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(TaggedRowsAdapter.linesOfHead)
      .map { Array($0.last == 0x0D ? $0.dropLast() : $0) }.filter { $0.count <= LineBuffer.longestLine }
    for dialect in CSVDialect.candidates {
      if let found = Self.layout(lines, dialect) {
        layout = found
        remarks = found.remarks
        return
      }
    }
    return nil
  }

  private static func layout(_ lines: [[UInt8]], _ dialect: CSVDialect) -> Layout? {
    let rows = lines.map { line in dialect.fields(of: line).map { Array(line[$0]) } }
    let width = rows.map(\.count).max() ?? 0
    guard (3...16).contains(width) else { return nil }
    for column in 0..<width {
      let stems = stems(in: rows, column)
      for stem in stems {
        var own = rows.filter { $0.count > column && axis(of: $0[column], stem) != nil }
        guard own.count >= fewestRows else { continue }
        let least = own.map(\.count).min() ?? 0
        let numbers = (0..<least).filter { place in
          place != column && own.allSatisfy { value($0[place], dialect) != nil }
        }
        guard let clock = numbers.first(where: { rises(own, $0, dialect) }),
          let measured = numbers.last(where: { $0 != clock && !rises(own, $0, dialect) })
        else { continue }
        var layout = Layout(dialect: dialect, time: clock, name: column, value: measured, stem: stem)
        layout.remarks = remarks("sensors", stems.map { $0.map { $0 == 0 ? UInt8(ascii: "x") : $0 } })
        // Mixed, the axes of two devices would be one sample.
        for place in 0..<least where ![column, clock, measured].contains(place) {
          let names = distinct(own.map { $0[place] })
          guard (2...8).contains(names.count) else { continue }
          layout.device = (place, names[0])
          layout.remarks += remarks("devices", names)
          own.removeAll { $0[place] != names[0] }
          break
        }
        // Rows whose axes take turns; a table of all x before all y would have to be read whole.
        guard own.count >= fewestRows, takeTurns(own, column, stem) else { continue }
        layout.firstAxis = firstAxis(own, layout)
        if let names = rows.first, names.count > clock, value(names[clock], dialect) == nil {
          layout.timeName = String(decoding: names[clock], as: UTF8.self)
        }
        return layout
      }
    }
    return nil
  }

  /// The names of triples of axes in a column without their letters, an acceleration first.
  private static func stems(in rows: [[[UInt8]]], _ column: Int) -> [[UInt8]] {
    var letters: [[UInt8]: Set<UInt8>] = [:]
    for row in rows where row.count > column {
      guard let (stem, letter) = split(row[column]) else { continue }
      letters[stem, default: []].insert(letter)
    }
    let ranked = letters.filter { $0.value.count == 3 }.keys.map { stem in
      let text = String(decoding: stem.filter { $0 != 0 }, as: UTF8.self)
      return (rank: TaggedTable.rank(text) ?? 1, text: text, stem: stem)
    }
    return ranked.filter { $0.rank < TaggedTable.otherSensor }
      .sorted { ($0.rank, $0.stem.count, $0.text) < ($1.rank, $1.stem.count, $1.text) }.map(\.stem)
  }

  /// A name that ends in the letter of an axis, or has it in quotes as Prometheus writes labels, and the name with a zero in its
  /// place.
  private static func split(_ name: [UInt8]) -> (stem: [UInt8], letter: UInt8)? {
    func isAxis(_ place: Int) -> Bool { (UInt8(ascii: "x")...UInt8(ascii: "z")).contains(name[place] | 0x20) }
    let quote = UInt8(ascii: "\"")
    guard !name.isEmpty, name.count <= longestName,
      let place = isAxis(name.count - 1)
        ? name.count - 1
        : name.indices.dropFirst().dropLast().first(where: {
          name[$0 - 1] == quote && isAxis($0) && name[$0 + 1] == quote
        })
    else { return nil }
    var stem = name
    stem[place] = 0
    return (stem, name[place] | 0x20)
  }

  private static let longestName = 256

  private static func axis(of name: [UInt8], _ stem: [UInt8]) -> Int? {
    guard let (found, letter) = split(name), found == stem else { return nil }
    return Int(letter - UInt8(ascii: "x"))
  }

  private static func value(_ field: [UInt8], _ dialect: CSVDialect) -> Double? {
    RowColumns.value(field.span, 0..<field.count, decimalComma: dialect.decimalComma)
  }

  /// Whether a column never falls, and has risen at the end.
  private static func rises(_ rows: [[[UInt8]]], _ column: Int, _ dialect: CSVDialect) -> Bool {
    let values = rows.compactMap { value($0[column], dialect) }
    guard let first = values.first, let last = values.last, last > first else { return false }
    return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
  }

  private static func distinct(_ names: [[UInt8]]) -> [[UInt8]] {
    var all: [[UInt8]] = []
    for name in names where !all.contains(name) { all.append(name) }
    return all
  }

  /// What to know of a choice among several.
  private static func remarks(_ kind: String, _ names: [[UInt8]]) -> [String] {
    guard names.count > 1 else { return [] }
    let texts = names.map { String(decoding: $0, as: UTF8.self) }
    return [
      "the rows are of \(texts.count) \(kind) (\(texts.joined(separator: ", "))); only those of \(texts[0]) were used"
    ]
  }

  /// The axis before which most time passes.
  private static func firstAxis(_ rows: [[[UInt8]]], _ layout: Layout) -> Int {
    var waits = [0.0, 0, 0]
    for (former, row) in zip(rows, rows.dropFirst()) {
      guard let axis = axis(of: row[layout.name], layout.stem), let time = value(row[layout.time], layout.dialect),
        let before = value(former[layout.time], layout.dialect)
      else { continue }
      waits[axis] += time - before
    }
    return waits.indices.max { waits[$0] < waits[$1] } ?? 0
  }

  private static func takeTurns(_ rows: [[[UInt8]]], _ column: Int, _ stem: [UInt8]) -> Bool {
    let axes = rows.compactMap { axis(of: $0[column], stem) }
    return zip(axes, axes.dropFirst()).count { $0 != $1 } * 10 >= (axes.count - 1) * 9
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    if !hasHeader {
      hasHeader = true
      let name = layout.timeName.filter { $0 != "," && $0 != "\"" }
      output += Array("\(name),acc x,acc y,acc z\n".utf8)
    }
    lines.add(input, isLast: isLast, into: &output) { line, output in
      if let reading = reading(Array(line)) { take(reading, into: &output) }
      output.append(0x0A)
    }
    if isLast, incomplete > 0 {
      remarks.append(
        incomplete == 1
          ? "1 sample lacks an axis and was left out" : "\(incomplete) samples lack an axis and were left out")
    }
  }

  private func reading(_ line: [UInt8]) -> Reading? {
    fields.removeAll(keepingCapacity: true)
    let (dialect, wanted) = (layout.dialect, [layout.time, layout.name, layout.value])
    dialect.split(line.span, line.indices, limit: LayoutProbe.mostColumns, into: &fields)
    guard wanted.allSatisfy({ $0 < fields.count }),
      let axis = Self.axis(of: Array(line[fields[layout.name]]), layout.stem)
    else { return nil }
    if let device = layout.device {
      guard device.column < fields.count, line[fields[device.column]].elementsEqual(device.name) else { return nil }
    }
    // The rows that are written have commas between their columns.
    let number = { (column: Int) in line[self.fields[column]].map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 } }
    return Reading(time: number(layout.time), axis: axis, value: number(layout.value))
  }

  private func take(_ reading: Reading, into output: inout [UInt8]) {
    if reading.axis == layout.firstAxis {
      if sample.contains(where: { $0 != nil }) { incomplete += 1 }
      (sample, time) = ([nil, nil, nil], reading.time)
    } else if sample[layout.firstAxis] == nil {
      // The beginning of this sample was lost; its other axes are of no use.
      return
    }
    sample[reading.axis] = reading.value
    let values = sample.compactMap(\.self)
    guard values.count == 3 else { return }
    output += time
    for value in values {
      output.append(UInt8(ascii: ","))
      output += value
    }
    sample = [nil, nil, nil]
  }
}
