/// Text with numbers and times as programs print their objects, which are written plainly:
///
/// - the time since the first sample, as pandas prints it: `0 days 00:00:00.020000` becomes seconds;
/// - times of Python: `datetime.datetime(2026, 5, 6, 10, 11, 12, 340000)`, `Timestamp('2026-05-06 10:11:12.34')`;
/// - numbers of NumPy and of Python: `np.float64(0.25)`, `Decimal('0.25')`.
final class PrintedValueAdapter: LineAdapter {
  var lines = TextLines()

  let keepsColumns = true

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(TaggedRowsAdapter.linesOfHead)
    guard lines.count(where: { Self.plain($0) != nil }) >= TaggedTable.fewestRows else { return nil }
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    output += Self.plain(line[...]) ?? line
    output.append(0x0A)
  }

  /// A line with its values written plainly; `nil` if it has none of these.
  private static func plain(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count <= LineBuffer.longestLine else { return nil }
    if let (range, seconds) = timedelta(in: line) {
      return line[..<range.lowerBound] + Array(seconds.utf8) + line[range.upperBound...]
    }
    var (output, rest) = ([UInt8](), line)
    while let open = rest.firstIndex(of: UInt8(ascii: "(")) {
      let name = String(decoding: rest[..<open].reversed().prefix(while: isOfName).reversed(), as: UTF8.self)
      if constructors.contains(name), let end = end(ofCallFrom: open, in: rest),
        let value = value(name, rest[(open + 1)..<end])
      {
        output += rest[..<(open - name.utf8.count)] + value
        rest = rest[(end + 1)...]
      } else {
        output += rest[...open]
        rest = rest[(open + 1)...]
      }
    }
    return rest.startIndex == line.startIndex || output.elementsEqual(line[..<rest.startIndex]) ? nil : output + rest
  }

  // MARK: - Calls

  private static let constructors: Set<String> = Set(
    ["np", "numpy"].flatMap { module in
      ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "datetime64"]
        .map {
          "\(module).\($0)"
        }
    } + [
      "Decimal", "decimal.Decimal", "Timestamp", "pd.Timestamp", "datetime.datetime", "datetime.time", "datetime.date",
    ])

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 <= 9 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }

  /// In bytes.
  private static let longestCall = 160

  /// The closing parenthesis of a call that opens at `open`.
  private static func end(ofCallFrom open: Int, in line: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    for place in line[open...].prefix(longestCall).indices {
      if line[place] == UInt8(ascii: "(") { depth += 1 }
      if line[place] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// A number or a time; `nil` if the arguments are something else.
  private static func value(_ name: String, _ arguments: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = String(decoding: arguments, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingPrefix(while: \.isWhitespace)
    }
    if name.hasPrefix("datetime.") { return time(name, parts) }
    guard let first = parts.first, parts.count == 1 || name.hasSuffix("datetime64") || name.hasSuffix("Timestamp")
    else {
      return nil
    }
    // A zone behind the text is the one that the text states already.
    let text = first.utf8.filter { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"") }
    return text.isEmpty ? nil : Array(text)
  }

  /// A date, a time of day or both as ISO 8601; `nil` with a zone that is not UTC.
  private static func time(_ name: String, _ parts: [Substring]) -> [UInt8]? {
    var (numbers, zone) = ([Int](), "")
    for part in parts {
      if let number = Int(part) {
        numbers.append(number)
      } else if ["tzinfo=datetime.timezone.utc", "tzinfo=datetime.UTC", "tzinfo=<UTC>", "tzinfo=tzutc()"].contains(part)
      {
        zone = "Z"
      } else if !part.hasPrefix("fold=") {
        return nil
      }
    }
    func padded(_ number: Int, _ width: Int = 2) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".utf8.count)) + "\(number)"
    }
    guard numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    var text = ""
    if name != "datetime.time" {
      guard numbers.count >= (name == "datetime.date" ? 3 : 5) else { return nil }
      text = "\(padded(numbers[0], 4))-\(padded(numbers[1]))-\(padded(numbers[2]))"
      if name == "datetime.date" { return numbers.count == 3 ? Array(text.utf8) : nil }
      text += "T"
      numbers.removeFirst(3)
    }
    guard (2...4).contains(numbers.count) else { return nil }
    numbers += Array(repeating: 0, count: 4 - numbers.count)
    text += "\(padded(numbers[0])):\(padded(numbers[1])):\(padded(numbers[2])).\(padded(numbers[3], 6))\(zone)"
    return Array(text.utf8)
  }

  // MARK: - Durations

  private static let word = Array(" day".utf8)

  /// The first time in days of a line, and its seconds.
  private static func timedelta(in line: ArraySlice<UInt8>) -> (range: Range<Int>, seconds: String)? {
    guard let mark = line.firstRange(of: word) else { return nil }
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
