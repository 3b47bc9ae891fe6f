/// Tables of integers whose thousands are separated by points, apostrophes, blanks, commas or underscores:
///
///     Zeit (ms);X (mg);Y (mg);Z (mg)
///     980;-74;206;977
///     1.000;-71;211;1.003
///
/// Read as a decimal point, 1003 mg would become 1.003 mg between rows of 977 mg. The numbers are written without separators.
final class GroupedNumberAdapter: LineAdapter {
  private let separator: [UInt8]
  /// The columns of integers.
  private let integers: Set<Int>
  private let dialect: CSVDialect
  var lines = TextLines()
  private var fields: [Range<Int>] = []

  let keepsColumns = true
  let remarks: [String]

  private static let separators = [".", "'", "’", " ", ",", "_"].map { Array($0.utf8) }
  /// Python's separator, which is never a decimal mark.
  private static let underscore = Array("_".utf8)
  private static let delimiters = [";", "\t", "|", ","].map { CSVDialect(delimiter: $0.utf8.first ?? 0) }

  /// What a field may be in such a table.
  private enum Field {
    /// An integer of three digits, or of fewer.
    case hundreds, small
    case grouped
  }

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).dropLast().map { Array($0.last == 0x0D ? $0.dropLast() : $0) }
    guard let dialect = lines.last.flatMap(Self.dialect) else { return nil }
    for separator in Self.separators(dialect) {
      guard let (example, integers) = Self.example(lines, dialect, separator) else { continue }
      (self.separator, self.dialect, self.integers) = (separator, dialect, integers)
      remarks = ["marks in numbers such as \(example) were read as separators of thousands"]
      return
    }
    return nil
  }

  /// What the first rows show of a column.
  private struct Column {
    var areIntegers: Bool
    /// Whether a number has the separator in another place than in front of thousands.
    var areDecimals = false
    var hundreds = false
    /// A number with separators.
    var grouped: String?
    /// The largest number in front of the first separator.
    var largest = 0
  }

  /// A number with separators, and the columns of integers; `nil` if these are fewer than three, or none has some numbers with
  /// separators and some without.
  private static func example(_ lines: [[UInt8]], _ dialect: CSVDialect, _ separator: [UInt8]) -> (String, Set<Int>)? {
    var (rows, columns): (Int, [Column]) = (0, [])
    for line in lines {
      let fields = dialect.fields(of: line)
      let kinds = fields.map { kind(line[$0], separator) }
      // A heading.
      if rows == 0, kinds.count(where: { $0 != nil }) < 3 { continue }
      rows += 1
      columns += Array(repeating: Column(areIntegers: rows == 1), count: max(0, kinds.count - columns.count))
      for (column, kind) in kinds.enumerated() {
        let digits = line[fields[column]].drop { $0 == UInt8(ascii: "-") }.prefix { $0 &- 0x30 <= 9 }
        columns[column].largest = max(columns[column].largest, Int(String(decoding: digits, as: UTF8.self)) ?? 0)
        switch kind {
        case nil:
          columns[column].areIntegers = false
          if column > 0, line[fields[column]].firstRange(of: separator) != nil { columns[column].areDecimals = true }
        case .hundreds?: columns[column].hundreds = true
        case .grouped?: columns[column].grouped = String(decoding: line[fields[column]], as: UTF8.self)
        case .small?: break
        }
      }
    }
    // With three decimals in every row, it is a decimal point.
    let integers = columns.indices.filter { columns[$0].areIntegers }
    guard rows >= TaggedTable.fewestRows, integers.count >= 3 else { return nil }
    if let example = integers.lazy.compactMap({
      columns[$0].hundreds || Self.isInPython(columns[$0].grouped, separator, isAxis: integers.suffix(3).contains($0))
        ? columns[$0].grouped : nil
    }).first {
      return (example, Set(integers))
    }
    // Of three axes in one unit, not some have three decimals and another, which is far larger, none.
    let axes = integers.suffix(3)
    let largest = axes.lazy.filter { columns[$0].grouped != nil }.map { columns[$0].largest }.max() ?? 0
    guard !columns.contains(where: \.areDecimals), axes[axes.endIndex - 1] - axes[axes.startIndex] == 2,
      integers.count == 3 || integers.count == 4 && integers[0] == 0,
      axes.contains(where: { columns[$0].grouped == nil && columns[$0].hundreds && columns[$0].largest > 5 * largest })
    else { return nil }
    return axes.lazy.compactMap { columns[$0].grouped }.first.map { ($0, Set(integers)) }
  }

  /// The lines that tell whether a row is of such a table, for which a pipe has to wait; 0 if it is of none. It has a number with a
  /// separator or one just below a thousand, or its times may be milliseconds of the first second.
  static func linesThatTell(_ line: [UInt8]) -> Int {
    guard let dialect = dialect(line), dialect.delimiter != UInt8(ascii: ",") || line.contains(UInt8(ascii: "_")) else {
      return 0
    }
    let fields = dialect.fields(of: line)
    let lines = separators(dialect).map { separator in
      let kinds = fields.map { kind(line[$0], separator) }
      let integers = kinds.compactMap(\.self)
      // Where all have three decimals, these are no thousands.
      guard integers.count >= 3, integers.contains(where: { $0 != .grouped }) else { return 0 }
      if integers.contains(.grouped) { return linesOfSecond }
      guard !kinds.contains(nil) else { return 0 }
      if integers.count > 3 { return linesOfSecond }
      let isNear = zip(kinds, fields).contains { kind, field in
        kind == .hundreds && line[field].suffix(3).first == UInt8(ascii: "9")
      }
      return isNear ? TaggedRowsAdapter.linesOfHead : 0
    }
    return lines.max() ?? 0
  }

  /// Whether a number has the separator of Python, in an axis or as a time; one in another column may be a label.
  private static func isInPython(_ text: String?, _ separator: [UInt8], isAxis: Bool) -> Bool {
    separator == underscore && (isAxis || text?.count { $0 == "_" } ?? 0 > 1)
  }

  private static let linesOfSecond = 400

  private static func dialect(_ line: [UInt8]) -> CSVDialect? { delimiters.first { line.contains($0.delimiter) } }

  /// Between commas, a point is a decimal mark.
  private static func separators(_ dialect: CSVDialect) -> [[UInt8]] {
    dialect.delimiter == UInt8(ascii: ",") ? [underscore] : separators
  }

  /// The kind of a field; `nil` for any other text, and for a number of another form.
  private static func kind(_ field: ArraySlice<UInt8>, _ separator: [UInt8]) -> Field? {
    let digits = field.first == UInt8(ascii: "-") ? field.dropFirst() : field
    var groups: [Int] = [0]
    var rest = digits
    while let byte = rest.first {
      if byte &- 0x30 <= 9 {
        groups[groups.count - 1] += 1
        rest = rest.dropFirst()
      } else if rest.starts(with: separator) {
        groups.append(0)
        rest = rest.dropFirst(separator.count)
      } else {
        return nil
      }
    }
    guard (1...3).contains(groups[0]), groups.dropFirst().allSatisfy({ $0 == 3 }) else { return nil }
    guard groups.count > 1 else { return groups[0] == 3 ? .hundreds : .small }
    return digits.first == UInt8(ascii: "0") ? nil : .grouped
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    dialect.split(line.span, line.indices, limit: LayoutProbe.mostColumns, into: &fields)
    var place = 0
    for (column, field) in fields.enumerated()
    where integers.contains(column) && Self.kind(line[field], separator) == .grouped {
      output += line[place..<field.lowerBound]
      output += line[field].filter { $0 == UInt8(ascii: "-") || $0 &- 0x30 <= 9 }
      place = field.upperBound
    }
    output += line[place...]
    output.append(0x0A)
  }
}
