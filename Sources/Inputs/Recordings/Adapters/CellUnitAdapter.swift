import Accelerometry

/// Tables with the unit behind each number, as `20 ms,0.107 g,0.251 g,0.992 g`: the units move into the names of the columns.
final class CellUnitAdapter: TextAdapter {
  private let dialect: CSVDialect
  /// The unit of each column as the cells have it; empty for one without.
  private let units: [[UInt8]]
  /// The line of the names, from 0; `nil` if there are none.
  private let header: Int?
  /// The first row.
  private let example: [UInt8]
  private var number = -1
  private var lines = TextLines()

  let keepsColumns = true

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(TaggedRowsAdapter.linesOfHead)
      .map { Array($0.last == 0x0D ? $0.dropLast() : $0) }
    for dialect in CSVDialect.candidates where dialect.delimiter != 0x20 {
      let all = lines.map { Self.units(of: $0, dialect) }
      guard let first = all.firstIndex(where: { $0 != nil }), let units = all[first],
        all.count(where: { $0 == units }) >= TaggedTable.fewestRows
      else { continue }
      (self.dialect, self.units, example) = (dialect, units, lines[first])
      header = first > 0 && dialect.fields(of: lines[first - 1]).count == units.count ? first - 1 : nil
      return
    }
    return nil
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    if number < 0, header == nil { output += Array((names.joined(separator: delimiter) + "\n").utf8) }
    number = max(number, 0)
    lines.add(input, isLast: isLast, into: &output) { line, output in
      let line = Array(line)
      for (column, field) in dialect.fields(of: line).enumerated() {
        if column > 0 { output.append(dialect.delimiter) }
        let unit = column < units.count ? units[column] : []
        if number == header {
          output += line[field]
          let isNamed = line[field].contains { "([".utf8.contains($0) }
          if !unit.isEmpty, !isNamed { output += Array(" (".utf8) + unit + Array(")".utf8) }
        } else if !unit.isEmpty, let place = Self.unit(of: line[field]),
          line[place..<field.upperBound].elementsEqual(unit)
        {
          output += line[field.lowerBound..<Self.end(ofNumber: line[field])]
        } else {
          output += line[field]
        }
      }
      output.append(0x0A)
      number += 1
    }
  }

  private var delimiter: String { String(decoding: [dialect.delimiter], as: UTF8.self) }

  /// Names for a table without them.
  private var names: [String] {
    let example = example
    let fields = dialect.fields(of: example)
    var axis = 0
    return units.enumerated().map { column, unit in
      let text = String(decoding: unit, as: UTF8.self)
      if ColumnName.unit(inBrackets: text) != nil, axis < 3 {
        axis += 1
        return "\(["x", "y", "z"][axis - 1]) (\(text))"
      }
      if ColumnName.isUnitOfTime(text) { return "time (\(text))" }
      let cell = fields[column]
      if unit.isEmpty, DateTimeText.parseDate(example.span, cell) != nil { return "date" }
      let isTime =
        unit.isEmpty
        && (DateTimeText.parseDateAndTime(example.span, cell) ?? DateTimeText.parseTimeOfDay(example.span, cell)) != nil
      return isTime ? "time" : "column \(column + 1)"
    }
  }

  /// The units of a row; `nil` if fewer than three cells have the same one of acceleration.
  private static func units(of line: [UInt8], _ dialect: CSVDialect) -> [[UInt8]]? {
    guard line.count <= LineBuffer.longestLine else { return nil }
    let units = dialect.fields(of: line).map { field in
      unit(of: line[field]).map { Array(line[$0..<field.upperBound]) } ?? []
    }
    let accelerations = units.filter { ColumnName.unit(inBrackets: String(decoding: $0, as: UTF8.self)) != nil }
    return accelerations.contains { unit in accelerations.count { $0 == unit } >= 3 } ? units : nil
  }

  private static func end(ofNumber field: ArraySlice<UInt8>) -> Int {
    field.firstIndex { !($0 &- 0x30 <= 9 || "+-.,".utf8.contains($0)) } ?? field.endIndex
  }

  /// The place of a unit of acceleration or of time behind a number.
  private static func unit(of field: ArraySlice<UInt8>) -> Int? {
    let end = end(ofNumber: field)
    guard field[..<end].contains(where: { $0 &- 0x30 <= 9 }), end < field.endIndex,
      field.endIndex - end <= ColumnName.longestUnit
    else { return nil }
    guard let place = field[end...].firstIndex(where: { $0 != 0x20 }) else { return nil }
    let text = String(decoding: field[place...], as: UTF8.self)
    return ColumnName.unit(inBrackets: text) != nil || ColumnName.isUnitOfTime(text) ? place : nil
  }
}
