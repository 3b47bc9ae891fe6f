/// Text whose times are days and a time of day, as pandas writes the time since the first sample:
///
///     0     0 days 00:00:00.020000  1.1991  2.0885  9.5879
///
/// They are written in seconds.
final class TimedeltaAdapter: TextAdapter {
  private var lines = TextLines()

  let keepsColumns = true

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(TaggedRowsAdapter.linesOfHead)
    guard lines.count(where: { Self.time(in: $0) != nil }) >= TaggedTable.fewestRows else { return nil }
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    lines.add(input, isLast: isLast, into: &output) { line, output in
      if let (range, seconds) = Self.time(in: line) {
        output += line[..<range.lowerBound]
        output += Array(seconds.utf8)
        output += line[range.upperBound...]
      } else {
        output += line
      }
      output.append(0x0A)
    }
  }

  private static let word = Array(" day".utf8)

  /// The first such time of a line, and its seconds.
  private static func time(in line: ArraySlice<UInt8>) -> (range: Range<Int>, seconds: String)? {
    guard line.count <= LineBuffer.longestLine, let mark = line.firstRange(of: word) else { return nil }
    let digits = line[..<mark.lowerBound].reversed().prefix { $0 &- 0x30 <= 9 }.count
    let start = mark.lowerBound - digits
    guard (1...6).contains(digits), let days = Int(String(decoding: line[start..<mark.lowerBound], as: UTF8.self)),
      start == line.startIndex || line[start - 1] != UInt8(ascii: "-")
    else { return nil }
    var place = mark.upperBound
    if place < line.endIndex, line[place] == UInt8(ascii: "s") { place += 1 }
    guard place < line.endIndex, line[place] == 0x20 else { return nil }
    let clock = line[(place + 1)...].prefix { $0 &- 0x30 <= 9 || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    let text = Array(clock)
    guard let nanoseconds = DateTimeText.parseTimeOfDay(text.span, text.indices) else { return nil }
    let fraction = String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst()
    return (start..<clock.endIndex, "\(Int64(days) * 86_400 + nanoseconds / 1_000_000_000).\(fraction)")
  }
}
