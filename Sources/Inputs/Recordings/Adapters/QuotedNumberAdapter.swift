/// Comma-separated tables with commas inside quoted numbers: decimal commas (`"0,12"`), or separated thousands (`"1,020"`).
///
/// All of the first rows decide which of the two they are. The numbers are written without quotes, with a point.
final class QuotedNumberAdapter: LineAdapter {
  private let areDecimals: Bool
  var lines = TextLines()
  private var fields: [Range<Int>] = []

  private static let dialect = CSVDialect(delimiter: UInt8(ascii: ","))

  let keepsColumns = true
  let remarks: [String]

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(TaggedRowsAdapter.linesOfHead).map(Array.init)
    // Other delimiters permit decimal commas.
    guard lines.contains(where: Self.mayBegin), !lines.contains(where: { $0.contains { ";\t".utf8.contains($0) } })
    else {
      return nil
    }
    var (decimals, groups, hasPoint) = (0, 0, false)
    for line in lines {
      for field in Self.dialect.fields(of: line).map({ line[$0] }) {
        if RowColumns.isValue(line.span, field.indices, decimalComma: false) || Self.isNumber(field) {
          hasPoint = hasPoint || field.contains(UInt8(ascii: "."))
        }
        guard Self.isNumber(field) else { continue }
        if Self.isGrouped(field) { groups += 1 } else { decimals += 1 }
      }
    }
    guard decimals + groups > 0 else { return nil }
    // `"0,119"` is no thousand, so neither are the others.
    areDecimals = decimals > 0
    // A table has one decimal mark.
    remarks = areDecimals || hasPoint ? [] : ["commas in quoted numbers were read as separators of thousands"]
  }

  /// Whether a line has a quoted field.
  static func mayBegin(_ line: [UInt8]) -> Bool {
    line.contains(UInt8(ascii: "\"")) && line.contains(UInt8(ascii: ","))
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    Self.dialect.split(line.span, line.indices, limit: LayoutProbe.mostColumns, into: &fields)
    for (index, range) in fields.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      let field = line[range]
      if Self.isNumber(field) {
        output += field.compactMap { $0 == UInt8(ascii: ",") ? areDecimals ? UInt8(ascii: ".") : nil : $0 }
      } else if field.contains(UInt8(ascii: ",")) {
        output += [UInt8(ascii: "\"")] + field + [UInt8(ascii: "\"")]
      } else {
        output += field
      }
    }
    output.append(0x0A)
  }

  /// Whether a field is a number with a comma. In a table with this delimiter it was quoted.
  private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
    var digits = field.first == UInt8(ascii: "-") ? field.dropFirst() : field
    // With a decimal comma, an exponent may follow.
    if let mark = digits.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      Int(String(decoding: digits[(mark + 1)...], as: UTF8.self)) != nil
    {
      digits = digits[..<mark]
    }
    return digits.contains(UInt8(ascii: ",")) && digits.first.map { $0 &- 0x30 <= 9 } == true
      && digits.allSatisfy { $0 &- 0x30 <= 9 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }
  }

  /// Whether the commas can separate thousands: no zero in front, and three digits behind each.
  private static func isGrouped(_ field: ArraySlice<UInt8>) -> Bool {
    let digits = field.first == UInt8(ascii: "-") ? field.dropFirst() : field
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    let groups = whole.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    // In India, there are two in front of the last three: `1,02,400`.
    let (middle, last) = (groups.dropFirst().dropLast(), groups.last?.count)
    return digits.first != UInt8(ascii: "0") && groups.count > 1 && last == 3
      && (groups[0].count <= 3 && middle.allSatisfy { $0.count == 3 }
        || groups[0].count <= 2 && middle.allSatisfy { $0.count == 2 })
  }
}
