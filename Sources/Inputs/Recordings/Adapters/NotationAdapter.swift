struct TextHead {
  /// A second of several sensors.
  static let most = 100

  let bytes: [UInt8]
  /// They have no line feeds; one that is too long to be a row is empty.
  let lines: [[UInt8]]

  init(_ bytes: [UInt8], most: Int = Self.most) {
    self.bytes = bytes
    lines = bytes.split(separator: 0x0A, maxSplits: most, omittingEmptySubsequences: false).prefix(most).map { line in
      line.count <= LineBuffer.longestLine ? Array(line.last == 0x0D ? line.dropLast() : line) : []
    }
  }

  /// The delimiters that may separate cells. Where most rows have another one, a blank does not: in `20, 119, 41, 987` the commas would
  /// be decimal ones, and `Time (ms)` is one name.
  var dialects: [CSVDialect] {
    let rows = lines.map { RowStructure($0.span, $0.indices) }.filter { $0.values >= 3 }
    let split = rows.count { $0.dialect.delimiter != 0x20 }
    return CSVDialect.candidates.filter { $0.delimiter != 0x20 || split * 2 <= rows.count }
  }

  func rows(_ dialect: CSVDialect) -> [[ArraySlice<UInt8>]] {
    lines.map { line in dialect.fields(of: line).map { line[$0] } }
  }
}

/// Tables in which numbers are only written differently: each line is rewritten by itself, and columns keep their places and names.
///
/// Each notation is a function that recognises it by the first lines and tells how to write a cell, or a line, plainly.
final class NotationAdapter: LineAdapter {
  var lines = TextLines()
  let keepsColumns = true
  let remarks: [String]
  private var number = -1
  private let rewrite: (_ line: [UInt8], _ number: Int) -> [UInt8]?

  /// - Parameters:
  ///   - preface: names of columns for a table without them.
  ///   - rewrite: what a line with this number, from 0, becomes; `nil` if it stays.
  init(
    _ remark: String? = nil, preface: [UInt8] = [], _ rewrite: @escaping (_ line: [UInt8], _ number: Int) -> [UInt8]?
  ) {
    remarks = remark.map { [$0] } ?? []
    self.rewrite = rewrite
    lines.preface = preface
  }

  /// - Parameter cell: what a cell becomes; `nil` if it stays.
  convenience init(
    cellsOf dialect: CSVDialect, _ remark: String? = nil, preface: [UInt8] = [],
    _ cell: @escaping (_ cell: ArraySlice<UInt8>, _ column: Int, _ number: Int) -> [UInt8]?
  ) {
    self.init(remark, preface: preface) { line, number in
      var (output, place): ([UInt8], Int) = ([], 0)
      for (column, field) in dialect.fields(of: line).enumerated() {
        guard let text = cell(line[field], column, number) else { continue }
        output += line[place..<field.lowerBound] + text
        place = field.upperBound
      }
      return output + line[place...]
    }
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    number += 1
    output += rewrite(line, number) ?? line
    output.append(0x0A)
  }

  private static let comma = CSVDialect(delimiter: UInt8(ascii: ","))

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  private static func withoutSign(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    cell.first == UInt8(ascii: "-") ? cell.dropFirst() : cell
  }
}

// MARK: - Commas

extension NotationAdapter {
  /// Commas inside quoted numbers between commas: decimal commas (`"0,12"`), or separated thousands (`"1,020"`). All of the first
  /// rows decide which of the two they are.
  static func quoted(_ head: TextHead) -> NotationAdapter? {
    // Other delimiters permit decimal commas.
    guard head.lines.contains(where: mayBeQuoted),
      !head.lines.contains(where: { $0.contains { ";\t".utf8.contains($0) } })
    else { return nil }
    let cells = head.rows(comma).joined()
    let numbers = cells.filter(isNumberWithComma)
    guard !numbers.isEmpty else { return nil }
    // `"0,119"` is no thousand, so neither are the others. A table has one decimal mark.
    let areDecimals = !numbers.allSatisfy(haveGroups)
    let hasPoint = cells.contains { cell in
      cell.contains(UInt8(ascii: "."))
        && (isNumberWithComma(cell) || Double(String(decoding: cell, as: UTF8.self)) != nil)
    }
    let remark = areDecimals || hasPoint ? nil : "commas in quoted numbers were read as separators of thousands"
    return NotationAdapter(cellsOf: comma, remark) { cell, _, _ in
      guard isNumberWithComma(cell) else { return nil }
      return cell.compactMap { $0 == UInt8(ascii: ",") ? areDecimals ? UInt8(ascii: ".") : nil : $0 }
    }
  }

  static func mayBeQuoted(_ line: [UInt8]) -> Bool {
    line.contains(UInt8(ascii: "\"")) && line.contains(UInt8(ascii: ","))
  }

  /// Whether a cell is a number with a comma. In a table with this delimiter it was quoted.
  private static func isNumberWithComma(_ cell: ArraySlice<UInt8>) -> Bool {
    var digits = withoutSign(cell)
    // With a decimal comma, an exponent may follow.
    if let mark = digits.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      Int(String(decoding: digits[(mark + 1)...], as: UTF8.self)) != nil
    {
      digits = digits[..<mark]
    }
    return digits.contains(UInt8(ascii: ",")) && digits.first.map(isDigit) == true
      && digits.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }
  }

  /// Whether the commas can separate thousands: no zero in front, and three digits behind each.
  private static func haveGroups(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = withoutSign(number)
    let groups = digits.prefix { $0 != UInt8(ascii: ".") }.split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    // In India, there are two in front of the last three: `1,02,400`.
    let middle = groups.dropFirst().dropLast()
    return digits.first != UInt8(ascii: "0") && groups.count > 1 && groups.last?.count == 3
      && [3, 2].contains { size in groups[0].count <= size && middle.allSatisfy { $0.count == size } }
  }

  /// Decimal commas between commas in front of blanks: `0,02, 0,119, -0,40, 9,68`. Each row has as many commas in front of blanks, and
  /// some three others, which the line above has not.
  static func spaced(_ head: TextHead) -> NotationAdapter? {
    let rows = head.lines.dropLast().map { spaced($0) }
    guard let first = rows.firstIndex(where: { $0?.decimals ?? 0 > 0 }), let width = rows[first]?.columns else {
      return nil
    }
    let all = zip(head.lines, rows).dropFirst(first).filter { !$0.0.isEmpty }
    guard width > 2, first == 0 || rows[first - 1] != nil, all.count >= TaggedTable.fewestRows,
      all.allSatisfy({ $0.1?.columns == width }), all.contains(where: { $0.1?.decimals ?? 0 > 2 })
    else { return nil }
    return NotationAdapter(
      "commas in front of blanks were read as separators of columns, and the others as decimal marks"
    ) { line, number in number < first ? nil : spaced(line)?.row ?? Array("damaged".utf8) }
  }

  /// A line with points in place of the commas in front of digits; `nil` if a column has several of them, or a point.
  private static func spaced(_ line: [UInt8]) -> (row: [UInt8], columns: Int, decimals: Int)? {
    var (row, columns, decimals, hasMark) = (line, 1, 0, false)
    for (place, byte) in line.enumerated() where byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".") {
      let next = place + 1 < line.count ? line[place + 1] : 0x20
      if byte == UInt8(ascii: ","), next == 0x20 {
        (columns, hasMark) = (columns + 1, false)
      } else {
        guard byte == UInt8(ascii: ","), !hasMark, isDigit(next) else { return nil }
        row[place] = UInt8(ascii: ".")
        (decimals, hasMark) = (decimals + 1, true)
      }
    }
    return (row, columns, decimals)
  }

  /// Decimal commas between commas, as a German locale writes them without quotes:
  ///
  ///     Time (s),X,Y,Z
  ///     0,02,1,17,-0,40,9,68
  ///
  /// Each row has up to twice as many fields as names; without names, zeros in front show the decimals of a time and three axes. The
  /// halves of numbers are joined with a decimal point.
  static func halvedByCommas(_ head: TextHead) -> NotationAdapter? {
    guard let first = head.lines.firstIndex(where: { halves($0) != nil }) else { return nil }
    let above = first > 0 ? head.lines[first - 1].split(separator: UInt8(ascii: ",")) : []
    var names = above.map { String(decoding: $0, as: UTF8.self) }
    let rows = head.lines[first...].dropLast().filter { !$0.isEmpty }.map { halves($0) }
    guard rows.count >= 8, let width = rows[0]?.count, rows.allSatisfy({ $0?.count == width }) else { return nil }
    let hasNames = names.count >= 3 && names.allSatisfy { $0.contains(where: \.isLetter) }
    if !hasNames { names = ["time", "x", "y", "z"] }
    guard width > names.count + 1, width <= 2 * names.count, hasNames || width > 6 else { return nil }
    // Columns of integers: the time first.
    let areTimes = names.map { ColumnName($0).role.isTime }
    let order = names.indices.sorted { areTimes[$0] && !areTimes[$1] }
    let whole = Set(order.prefix(2 * names.count - width))
    let areSplit = names.indices.map { !whole.contains($0) }
    if !hasNames {
      let isDecimal = { (cell: ArraySlice<UInt8>) in cell.first == UInt8(ascii: "0") && cell.count > 1 }
      // Whether cells in front of the commas, or behind them, have a zero in front.
      let have = { (row: [ArraySlice<UInt8>]?, remainder: Int) in
        (row ?? []).enumerated().contains { $0.offset % 2 == remainder && isDecimal(withoutSign($0.element)) }
      }
      guard rows.count(where: { have($0, 1 - width % 2) }) >= 3, !rows.contains(where: { have($0, width % 2) }) else {
        return nil
      }
    }
    guard rows.allSatisfy({ $0.flatMap { joined($0, areSplit) } != nil }) else { return nil }
    return NotationAdapter(
      "the columns are separated by commas, and so are the decimals; the halves of numbers were joined"
    ) { line, number in
      guard number >= first, let row = halves(line) else { return nil }
      return joined(row, areSplit) ?? Array("damaged".utf8)
    }
  }

  /// The fields of a row in which all are integers.
  private static func halves(_ line: [UInt8]) -> [ArraySlice<UInt8>]? {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let areIntegers = fields.allSatisfy { field in
      let digits = withoutSign(field)
      return !digits.isEmpty && digits.allSatisfy(isDigit)
    }
    return fields.count > 3 && areIntegers ? fields : nil
  }

  /// A row with points; `nil` if a second half has a sign.
  private static func joined(_ row: [ArraySlice<UInt8>], _ areSplit: [Bool]) -> [UInt8]? {
    var numbers: [ArraySlice<UInt8>] = []
    var rest = row[...]
    for isSplit in areSplit {
      guard let whole = rest.popFirst() else { return nil }
      guard isSplit else {
        numbers.append(whole)
        continue
      }
      guard let part = rest.popFirst(), part.first != UInt8(ascii: "-") else { return nil }
      numbers.append(whole + [UInt8(ascii: ".")] + part)
    }
    return rest.isEmpty ? Array(numbers.joined(separator: [UInt8(ascii: ",")])) : nil
  }
}

// MARK: - Checksums

extension NotationAdapter {
  /// Sentences that end in a checksum, as in NMEA 0183: `$PACC,920,-0.128,0.973,0.174*2D`. The checksum is dropped.
  static func checked(_ head: TextHead) -> NotationAdapter? {
    let hasChecksum = { (line: [UInt8]) in
      line.first == UInt8(ascii: "$") && line.count > 4 && line[line.count - 3] == UInt8(ascii: "*")
    }
    guard head.lines.count(where: hasChecksum) * 2 > head.lines.count else { return nil }
    return NotationAdapter { line, _ in hasChecksum(line) ? Array(line.dropLast(3)) : nil }
  }
}

// MARK: - Hexadecimal numbers

extension NotationAdapter {
  /// Hexadecimal integers, as sketches print registers: `20,FE0D,FE01,02BA` and `0x01A4 0xFF12 0x3F80`. They are written in decimal;
  /// those of 16 or 32 bits are two's complement, as registers are. Columns of two digits are bytes, of which two may be a number.
  static func hexadecimal(_ head: TextHead) -> NotationAdapter? {
    for dialect in head.dialects {
      let all = head.rows(dialect).filter { !$0.isEmpty }
      let rows = all.filter { row in row.count { digits($0) != nil } >= 3 }
      guard rows.count * 10 >= all.count * 8, let columns = hexadecimalColumns(rows) else { continue }
      let longest =
        columns.map { column in all.map { column < $0.count ? digits($0[column])?.count ?? 0 : 0 }.max() ?? 0 }
        .max() ?? 0
      guard longest > 2 else { continue }
      let bits = [4, 8].contains(longest) ? longest * 4 : nil
      return NotationAdapter(
        cellsOf: dialect,
        "the numbers were read as hexadecimal" + (bits.map { ", in two's complement of \($0) bits" } ?? "")
      ) { cell, column, _ in
        guard columns.contains(column), let digits = digits(cell),
          let number = Int64(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        let isNegative = bits.map { number >> ($0 - 1) == 1 } ?? false
        return Array(String(isNegative ? number - 1 << (bits ?? 0) : number).utf8)
      }
    }
    return nil
  }

  /// The columns of hexadecimal digits; `nil` if they are no triples in a row, or no digit above 9 tells them from decimal ones.
  private static func hexadecimalColumns(_ rows: [[ArraySlice<UInt8>]]) -> [Int]? {
    guard let width = rows.first?.count, rows.count >= TaggedTable.fewestRows, rows.allSatisfy({ $0.count == width })
    else { return nil }
    // 1E5 may be decimal.
    let isUnmistakable = { (cell: ArraySlice<UInt8>) in
      cell.starts(with: prefix) || cell.contains { $0 | 0x20 &- 0x61 < 6 && $0 | 0x20 != UInt8(ascii: "e") }
    }
    var hasLetters = false
    let columns = (0..<width).filter { column in
      let cells = rows.map { $0[column] }
      guard cells.allSatisfy({ digits($0) != nil }) else { return false }
      // The first row may be names, such as the pins A0, A1 and A2, and stand there again.
      if cells.contains(where: { $0 != cells[0] && isUnmistakable($0) }) {
        hasLetters = true
        return true
      }
      // Small positive numbers have no letters, but zeros in front.
      return cells.allSatisfy { $0.count == cells[0].count && $0.count >= 4 && $0.first == UInt8(ascii: "0") }
    }
    // Dumps of memory have eight or sixteen columns. Three decimal numbers beside identifiers are the axes.
    let decimals = (0..<width).count {
      !columns.contains($0) && Double(String(decoding: rows[0][$0], as: UTF8.self)) != nil
    }
    guard hasLetters, [3, 6, 9].contains(columns.count), columns[columns.count - 1] - columns[0] == columns.count - 1,
      decimals < 3
    else { return nil }
    return columns
  }

  private static let prefix = Array("0x".utf8)

  /// The digits of a hexadecimal number of at most 32 bits; `nil` for any other text.
  private static func digits(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let digits = cell.starts(with: prefix) ? cell.dropFirst(2) : cell
    return (1...8).contains(digits.count) && digits.allSatisfy { isDigit($0) || $0 | 0x20 &- 0x61 < 6 } ? digits : nil
  }
}

// MARK: - Units in cells

extension NotationAdapter {
  /// The unit behind each number, as `20 ms,0.107 g,0.251 g,0.992 g`: the units move into the names of the columns.
  static func united(_ head: TextHead) -> NotationAdapter? {
    for dialect in CSVDialect.candidates where dialect.delimiter != 0x20 {
      let rows = head.rows(dialect)
      let all = rows.map { $0.map { cell in unit(of: cell).map { Array(cell[$0...]) } ?? [] } }
      let isRow = { (units: [[UInt8]]) in
        let accelerations = units.filter { isUnitOfAcceleration($0) }
        return accelerations.contains { unit in accelerations.count { $0 == unit } >= 3 }
      }
      guard let first = all.firstIndex(where: isRow), all.count(where: { $0 == all[first] }) >= TaggedTable.fewestRows
      else { continue }
      let units = all[first]
      let header = first > 0 && rows[first - 1].count == units.count ? first - 1 : nil
      let names = header == nil ? names(of: units, example: rows[first]) : []
      let delimiter = String(decoding: [dialect.delimiter], as: UTF8.self)
      let preface = names.isEmpty ? [] : Array((names.joined(separator: delimiter) + "\n").utf8)
      return NotationAdapter(cellsOf: dialect, preface: preface) { cell, column, number in
        guard column < units.count, !units[column].isEmpty else { return nil }
        if number == header {
          let isNamed = cell.contains { "([".utf8.contains($0) }
          return isNamed ? nil : Array(cell) + Array(" (".utf8) + units[column] + [UInt8(ascii: ")")]
        }
        guard let place = unit(of: cell), cell[place...].elementsEqual(units[column]) else { return nil }
        return Array(cell[..<end(ofNumber: cell)])
      }
    }
    return nil
  }

  /// Names for a table without them.
  private static func names(of units: [[UInt8]], example: [ArraySlice<UInt8>]) -> [String] {
    var axes = ["x", "y", "z"][...]
    return units.enumerated().map { column, unit in
      let text = String(decoding: unit, as: UTF8.self)
      if isUnitOfAcceleration(unit), let axis = axes.popFirst() { return "\(axis) (\(text))" }
      if ColumnName.partsOfSecond(text) != nil { return "time (\(text))" }
      let cell = Array(example[column])
      if unit.isEmpty, DateTimeText.parseDate(cell.span, cell.indices) != nil { return "date" }
      let time =
        DateTimeText.parseDateAndTime(cell.span, cell.indices) ?? DateTimeText.parseTimeOfDay(cell.span, cell.indices)
      return unit.isEmpty && time != nil ? "time" : "column \(column + 1)"
    }
  }

  private static func isUnitOfAcceleration(_ unit: [UInt8]) -> Bool {
    ColumnName.unit(inBrackets: String(decoding: unit, as: UTF8.self)) != nil
  }

  private static func end(ofNumber cell: ArraySlice<UInt8>) -> Int {
    cell.firstIndex { !(isDigit($0) || "+-.,".utf8.contains($0)) } ?? cell.endIndex
  }

  /// The place of a unit of acceleration or of time behind a number.
  private static func unit(of cell: ArraySlice<UInt8>) -> Int? {
    let end = end(ofNumber: cell)
    guard cell[..<end].contains(where: isDigit), cell.endIndex - end <= ColumnName.longestUnit,
      let place = cell[end...].firstIndex(where: { $0 != 0x20 })
    else { return nil }
    let text = String(decoding: cell[place...], as: UTF8.self)
    return ColumnName.unit(inBrackets: text) != nil || ColumnName.partsOfSecond(text) != nil ? place : nil
  }
}

// MARK: - Parts of a second

extension NotationAdapter {
  /// Milliseconds behind a point without zeros in front, as a sketch prints integers: `12.980`, `13.0`, `13.20`, `10:5:13.40`. As decimals
  /// they go back within a second; as integers they rise, and begin again with each.
  static func unpadded(_ head: TextHead) -> NotationAdapter? {
    for dialect in head.dialects {
      let times = head.rows(dialect).compactMap { row in row.count > 3 ? row.first.flatMap(parts) : nil }
      guard times.count >= TaggedTable.fewestRows else { continue }
      let pairs = zip(times, times.dropFirst())
      let goBack = pairs.count {
        $0.whole == $1.whole && ".\($0.part)" > ".\($1.part)" && $0.part.count < $1.part.count
      }
      let rise = pairs.allSatisfy { ($0.whole, Int($0.part) ?? 0) < ($1.whole, Int($1.part) ?? 0) }
      guard goBack > 0, rise else { continue }
      return NotationAdapter(
        cellsOf: dialect,
        "the parts of the times behind the point have no zeros in front; they were read as milliseconds"
      ) { cell, column, _ in
        guard column == 0, let time = parts(cell) else { return nil }
        return cell.dropLast(time.part.count) + Array(repeating: UInt8(ascii: "0"), count: 3 - time.part.count)
          + Array(time.part.utf8)
      }
    }
    return nil
  }

  /// What stands for the seconds of a time, and one to three digits behind its point.
  private static func parts(_ cell: ArraySlice<UInt8>) -> (whole: Double, part: String)? {
    guard let point = cell.lastIndex(of: UInt8(ascii: ".")), (2...4).contains(cell.endIndex - point),
      cell[(point + 1)...].allSatisfy(isDigit),
      !cell[..<point].contains(UInt8(ascii: ".")) || cell.contains(UInt8(ascii: ":")),
      let whole = RowColumns.value(cell.span, 0..<point - cell.startIndex, decimalComma: false), whole >= 0
    else { return nil }
    return (whole, String(decoding: cell[(point + 1)...], as: UTF8.self))
  }

  /// Whether a row's time may be one of these.
  static func mayBeUnpadded(_ line: [UInt8]) -> Bool {
    let cell = line.prefix { !",;\t|".utf8.contains($0) }
    let time = cell.contains(UInt8(ascii: ":")) ? cell : cell.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
    return parts(time).map { $0.part.count < 3 } ?? false
  }
}
