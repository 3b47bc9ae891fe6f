/// How the columns of a line are separated.
struct CSVDialect: Equatable {
  /// The byte between two columns; a blank means any number of blanks and tabs.
  var delimiter: UInt8
  /// Whether a comma may precede the decimals.
  var decimalComma: Bool { delimiter != UInt8(ascii: ",") }

  /// Common delimiters, the least ambiguous first.
  static let candidates = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: ","), 0x20]
    .map { CSVDialect(delimiter: $0) }

  /// Finds the columns of a line, without surrounding blanks and quotes; at most `limit` columns.
  func split(_ bytes: Span<UInt8>, _ line: Range<Int>, limit: Int, into fields: inout [Range<Int>]) {
    fields.removeAll(keepingCapacity: true)
    var i = line.lowerBound
    var end = line.upperBound
    // Some loggers end a line with a semicolon, whatever their delimiter.
    if i < end, bytes[end - 1] == UInt8(ascii: ";"), delimiter != UInt8(ascii: ";") { end -= 1 }
    while fields.count < limit {
      while i < end, isBlank(bytes[i]) { i += 1 }
      if i == end, delimiter == 0x20 { return }
      fields.append(takeField(bytes, &i, end))
      guard i < end else { return }
      i += 1
      if i == end, delimiter != 0x20 {
        fields.append(end..<end)
        return
      }
    }
  }

  /// The columns of a line, as many as are ever examined.
  func fields(of line: [UInt8]) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    split(line.span, line.indices, limit: LayoutProbe.mostColumns, into: &fields)
    return fields
  }

  func cells(of line: [UInt8]) -> [String] { fields(of: line).map { String(decoding: line[$0], as: UTF8.self) } }

  /// Takes one column and stops at the delimiter after it or at the end.
  private func takeField(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Range<Int> {
    if i < end, bytes[i] == UInt8(ascii: "\"") { return takeQuoted(bytes, &i, end) }
    let start = i
    while i < end, !isDelimiter(bytes[i]) { i += 1 }
    var last = i
    while last > start, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 }
    return start..<last
  }

  private func takeQuoted(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Range<Int> {
    let quote = UInt8(ascii: "\"")
    let start = i + 1
    i = start
    while i < end {
      if bytes[i] == quote {
        guard i + 1 < end, bytes[i + 1] == quote else { break }
        i += 1
      }
      i += 1
    }
    var (first, last) = (min(start, end), min(i, end))
    while first < last, bytes[first] == 0x20 { first += 1 }
    while last > first, bytes[last - 1] == 0x20 { last -= 1 }
    while i < end, !isDelimiter(bytes[i]) { i += 1 }
    return first..<last
  }

  private func isDelimiter(_ byte: UInt8) -> Bool { byte == delimiter || (delimiter == 0x20 && byte == 0x09) }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte == 0x09 && delimiter != 0x09) }

  static func isBlankLine(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    line.allSatisfy { bytes[$0] == 0x20 || bytes[$0] == 0x09 || bytes[$0] == 0x0D }
  }

  /// The beginning of a comment's text; `nil` if the line is not a comment.
  static func commentText(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
    var i = line.lowerBound
    while i < line.upperBound, bytes[i] == 0x20 || bytes[i] == 0x09 { i += 1 }
    guard i < line.upperBound else { return nil }
    if bytes[i] == UInt8(ascii: "/") {
      return i + 1 < line.upperBound && bytes[i + 1] == UInt8(ascii: "/") ? i + 2..<line.upperBound : nil
    }
    guard bytes[i] == UInt8(ascii: "#") || bytes[i] == UInt8(ascii: "%") else { return nil }
    while i < line.upperBound, bytes[i] == UInt8(ascii: "#") || bytes[i] == UInt8(ascii: "%") { i += 1 }
    return i..<line.upperBound
  }
}
