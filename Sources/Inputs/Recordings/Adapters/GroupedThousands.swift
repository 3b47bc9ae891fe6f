/// Tables of numbers whose thousands are separated by points, apostrophes, blanks of any width, commas or underscores:
///
///     Zeit (ms);X (mg);Y (mg);Z (mg)
///     980;-74;206;977
///     1.000;-71;211;1.003
///
/// Read as a decimal point, 1003 mg would become 1.003 mg between rows of 977 mg.
struct GroupedThousands {
  let dialect: CSVDialect
  private(set) var integers: Set<Int> = []
  /// A number with separators.
  private(set) var example = ""
  private let separator: [UInt8]

  private static let separators = [".", ",", "_", "'", "’", " ", "\u{A0}", "\u{202F}", "\u{2009}"].map {
    Array($0.utf8)
  }
  /// Python's separator, which is never a decimal mark.
  private static let underscore = Array("_".utf8)
  private static let delimiters = [";", "\t", "|", ","].map { CSVDialect(delimiter: $0.utf8.first ?? 0) }

  private enum Kind {
    /// An integer of three digits, or of fewer.
    case hundreds, small
    case grouped
  }

  /// The notation with each separator that may stand in a line.
  private static func candidates(_ line: [UInt8]) -> [Self] {
    guard let dialect = delimiters.first(where: { line.contains($0.delimiter) }) else { return [] }
    // Between commas, a point is a decimal mark.
    let separators = dialect.delimiter == UInt8(ascii: ",") ? [underscore] : separators
    return separators.map { Self(dialect: dialect, separator: $0) }
  }

  private init(dialect: CSVDialect, separator: [UInt8]) { (self.dialect, self.separator) = (dialect, separator) }

  /// Whether a decimal mark may follow, as in `1 020,5`: not behind separators that are decimal marks themselves.
  private var mayHaveDecimals: Bool { ![".", ",", "_"].contains { separator.elementsEqual($0.utf8) } }

  init?(_ head: TextHead) {
    let lines = head.lines.dropLast()
    for var candidate in lines.last.map(Self.candidates) ?? [] {
      guard candidate.explains(lines) else { continue }
      self = candidate
      return
    }
    return nil
  }

  private struct Column {
    var areIntegers: Bool
    /// Whether a number has the separator in another place than in front of thousands.
    var areDecimals = false
    var hundreds = false
    /// A number with separators.
    var grouped: String?
    /// The largest number in front of the first separator.
    var largest = 0

    mutating func take(_ cell: ArraySlice<UInt8>, _ kind: Kind?, hasSeparator: Bool) {
      let digits = cell.drop { $0 == UInt8(ascii: "-") }.prefix { $0 &- 0x30 <= 9 }
      largest = max(largest, Int(String(decoding: digits, as: UTF8.self)) ?? 0)
      switch kind {
      case nil: (areIntegers, areDecimals) = (false, areDecimals || hasSeparator)
      case .hundreds?: hundreds = true
      case .grouped?: grouped = String(decoding: cell, as: UTF8.self)
      case .small?: break
      }
    }
  }

  /// Whether three columns or more are integers, of which one has some numbers with separators and some without.
  private mutating func explains(_ lines: ArraySlice<[UInt8]>) -> Bool {
    var (rows, columns): (Int, [Column]) = (0, [])
    for line in lines {
      let cells = dialect.fields(of: line).map { line[$0] }
      let kinds = cells.map { kind($0) }
      // A heading.
      if rows == 0, kinds.count(where: { $0 != nil }) < 3 { continue }
      rows += 1
      columns += Array(repeating: Column(areIntegers: rows == 1), count: max(0, kinds.count - columns.count))
      for (column, cell) in cells.enumerated() {
        let hasSeparator = kinds[column] == nil && column > 0 && cell.firstRange(of: separator) != nil
        columns[column].take(cell, kinds[column], hasSeparator: hasSeparator)
      }
    }
    let found = columns.indices.filter { columns[$0].areIntegers }
    guard rows >= TaggedTable.fewestRows, found.count >= 3 else { return false }
    integers = Set(found)
    let axes = found.suffix(3)
    // With three decimals in every row, it is a decimal point. Python's mark is none; one in another column may be a label.
    let isPython = separator == Self.underscore
    let certain = found.filter { column in
      let isInPython = isPython && columns[column].grouped != nil
      let marks = columns[column].grouped?.count { $0 == "_" } ?? 0
      return columns[column].hundreds || isInPython && (axes.contains(column) || marks > 1)
    }
    if let number = certain.lazy.compactMap({ columns[$0].grouped }).first {
      example = number
      return true
    }
    // Of three axes in one unit, not some have three decimals and another, which is far larger, none.
    let largest = axes.lazy.filter { columns[$0].grouped != nil }.map { columns[$0].largest }.max() ?? 0
    guard !columns.contains(where: \.areDecimals), axes[axes.endIndex - 1] - axes[axes.startIndex] == 2,
      found.count == 3 || found.count == 4 && found[0] == 0,
      axes.contains(where: { columns[$0].grouped == nil && columns[$0].hundreds && columns[$0].largest > 5 * largest }),
      let number = axes.lazy.compactMap({ columns[$0].grouped }).first
    else { return false }
    example = number
    return true
  }

  /// The lines that tell whether a row is of such a table, for which a pipe has to wait; 0 if it is of none. It has a number with a
  /// separator or one just below a thousand, or its times may be milliseconds of the first second.
  static func linesThatTell(_ line: [UInt8]) -> Int {
    let lines = candidates(line).map { candidate in
      if candidate.separator == underscore, !line.contains(UInt8(ascii: "_")) { return 0 }
      let cells = candidate.dialect.fields(of: line).map { line[$0] }
      let kinds = cells.map { candidate.kind($0) }
      let integers = kinds.compactMap(\.self)
      // Where all have three decimals, these are no thousands.
      guard integers.count >= 3, integers.contains(where: { $0 != .grouped }) else { return 0 }
      if integers.contains(.grouped) { return linesOfSecond }
      // Numbers with decimals tell nothing.
      let areWhole = cells.allSatisfy { cell in !cell.contains { ".,".utf8.contains($0) } }
      guard !kinds.contains(nil), areWhole || !candidate.mayHaveDecimals else { return 0 }
      if integers.count > 3 { return linesOfSecond }
      let isNear = zip(kinds, cells).contains { $0 == .hundreds && $1.suffix(3).first == UInt8(ascii: "9") }
      return isNear ? TextHead.most : 0
    }
    return lines.max() ?? 0
  }

  static let linesOfSecond = 400

  /// The kind of a field; `nil` for any other text, and for a number of another form.
  private func kind(_ cell: ArraySlice<UInt8>) -> Kind? {
    let digits = cell.first == UInt8(ascii: "-") ? cell.dropFirst() : cell
    var groups: [Int] = [0]
    var rest = digits
    while let byte = rest.first {
      if byte &- 0x30 <= 9 {
        groups[groups.count - 1] += 1
        rest = rest.dropFirst()
      } else if rest.starts(with: separator) {
        groups.append(0)
        rest = rest.dropFirst(separator.count)
      } else if mayHaveDecimals, byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), groups != [0] {
        guard rest.dropFirst().allSatisfy({ $0 &- 0x30 <= 9 }) else { return nil }
        break
      } else {
        return nil
      }
    }
    guard (1...3).contains(groups[0]), groups.dropFirst().allSatisfy({ $0 == 3 }) else { return nil }
    guard groups.count > 1 else { return groups[0] == 3 ? .hundreds : .small }
    return digits.first == UInt8(ascii: "0") ? nil : .grouped
  }

  /// A number without its separators; `nil` for any other cell.
  func plain(_ cell: ArraySlice<UInt8>, _ column: Int) -> [UInt8]? {
    guard integers.contains(column), kind(cell) == .grouped else { return nil }
    let isKept = { (byte: UInt8) in
      byte == UInt8(ascii: "-") || byte &- 0x30 <= 9 || mayHaveDecimals && ".,".utf8.contains(byte)
    }
    return cell.filter(isKept)
  }
}

extension NotationAdapter {
  static func grouped(_ head: TextHead) -> NotationAdapter? {
    guard let thousands = GroupedThousands(TextHead(head.bytes, most: GroupedThousands.linesOfSecond)) else {
      return nil
    }
    return NotationAdapter(
      cellsOf: thousands.dialect, "marks in numbers such as \(thousands.example) were read as separators of thousands"
    ) { cell, column, _ in thousands.plain(cell, column) }
  }
}
