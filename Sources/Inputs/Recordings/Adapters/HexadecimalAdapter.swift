/// Tables whose integers are hexadecimal, as sketches print registers: `20,FE0D,FE01,02BA` and `0x01A4 0xFF12 0x3F80`. They are
/// written in decimal; those of 16 or 32 bits are two's complement, as registers are. Columns of two digits are bytes, of which two
/// may be a number.
final class HexadecimalAdapter: LineAdapter {
  private let dialect: CSVDialect
  /// Whether each column is hexadecimal.
  private let columns: [Bool]
  /// The bits of a signed number; `nil` if the digits do not fill a register.
  private let bits: Int?
  var lines = TextLines()
  private var fields: [Range<Int>] = []

  let keepsColumns = true
  let remarks: [String]

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(TaggedRowsAdapter.linesOfHead).filter {
      $0.count <= LineBuffer.longestLine
    }.map(Array.init)
    for dialect in CSVDialect.candidates {
      guard let columns = Self.columns(lines, dialect) else { continue }
      let longest = Self.longestNumber(lines, dialect, columns)
      guard longest > 2 else { continue }
      (self.dialect, self.columns) = (dialect, columns)
      bits = [4, 8].contains(longest) ? longest * 4 : nil
      remarks = [
        "the numbers were read as hexadecimal" + (bits.map { ", in two's complement of \($0) bits" } ?? "")
      ]
      return
    }
    return nil
  }

  /// The digits of the longest number.
  private static func longestNumber(_ lines: [[UInt8]], _ dialect: CSVDialect, _ columns: [Bool]) -> Int {
    var longest = 0
    for line in lines {
      for (column, field) in dialect.fields(of: line).enumerated() where column < columns.count && columns[column] {
        longest = max(longest, digits(line[field])?.count ?? 0)
      }
    }
    return longest
  }

  /// The columns of hexadecimal digits; `nil` if they are fewer than three, or no digit above 9 tells them from decimal ones.
  private static func columns(_ lines: [[UInt8]], _ dialect: CSVDialect) -> [Bool]? {
    var rows: [[[UInt8]]] = []
    for line in lines {
      let row = dialect.fields(of: line).map { Array(line[$0]) }
      if row.count(where: { digits($0) != nil }) >= 3 { rows.append(row) }
    }
    guard let width = rows.first?.count, rows.count >= TaggedTable.fewestRows,
      rows.allSatisfy({ $0.count == width }), rows.count * 10 >= lines.count * 8
    else { return nil }
    var hasLetters = false
    let columns = (0..<width).map { column in
      let texts = rows.map { $0[column] }
      guard texts.allSatisfy({ digits($0) != nil }) else { return false }
      if texts.contains(where: isUnmistakable) {
        hasLetters = true
        return true
      }
      // Small positive numbers have no letters, but zeros in front.
      return texts.allSatisfy { $0.count == texts[0].count && $0.count >= 4 && $0[0] == UInt8(ascii: "0") }
    }
    // Dumps of memory have eight or sixteen columns. Three decimal numbers beside identifiers are the axes.
    let (first, last) = (columns.firstIndex(of: true) ?? 0, columns.lastIndex(of: true) ?? 0)
    let decimals = columns.indices.count { !columns[$0] && Double(String(decoding: rows[0][$0], as: UTF8.self)) != nil }
    let count = columns.count { $0 }
    return hasLetters && [3, 6, 9].contains(count) && last - first == count - 1 && decimals < 3 ? columns : nil
  }

  /// Whether a number cannot be decimal, as 1E5 can.
  private static func isUnmistakable(_ text: [UInt8]) -> Bool {
    text.starts(with: prefix) || text.contains { $0 | 0x20 &- 0x61 < 6 && $0 | 0x20 != UInt8(ascii: "e") }
  }

  private static let prefix = Array("0x".utf8)

  /// The digits of a hexadecimal number of at most 32 bits; `nil` for any other text.
  private static func digits(_ field: some Collection<UInt8>) -> [UInt8]? {
    let text = Array(field)
    let digits = text.starts(with: prefix) ? Array(text.dropFirst(2)) : text
    let areDigits = digits.allSatisfy { $0 &- 0x30 <= 9 || $0 | 0x20 &- 0x61 < 6 }
    return (1...8).contains(digits.count) && areDigits ? digits : nil
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    dialect.split(line.span, line.indices, limit: LayoutProbe.mostColumns, into: &fields)
    var place = 0
    for (column, field) in fields.enumerated() where column < columns.count && columns[column] {
      guard let digits = Self.digits(line[field]),
        let number = Int64(String(decoding: digits, as: UTF8.self), radix: 16)
      else { continue }
      let isNegative = bits.map { number >> ($0 - 1) == 1 } ?? false
      output += line[place..<field.lowerBound]
      output += Array(String(isNegative ? number - 1 << (bits ?? 0) : number).utf8)
      place = field.upperBound
    }
    output += line[place...]
    output.append(0x0A)
  }
}
