import Platform

/// Numbers and times as programs print their objects:
///
/// - the time since the first sample, as pandas prints it: `0 days 00:00:00.020000` becomes seconds;
/// - times of Python: `datetime.datetime(2026, 5, 6, 10, 11, 12, 340000)`, `Timestamp('2026-05-06 10:11:12.34')`;
/// - numbers of NumPy and of Python: `np.float64(0.25)`, `Decimal('0.25')`.
enum PrintedValues {
  private static let numbers: Set = ["Decimal", "Timestamp", "datetime64"]
  private static let modules: Set = ["", "np", "numpy", "pd", "decimal", "datetime"]
  private static let longestCall = 160

  /// A line with its values written plainly; `nil` if it has none of these.
  static func plain(_ line: [UInt8]) -> [UInt8]? {
    if let (range, seconds) = days(in: line) {
      return Array(line[..<range.lowerBound]) + Array(seconds.utf8) + line[range.upperBound...]
    }
    var (output, rest, isFound) = ([UInt8](), line[...], false)
    while let open = rest.firstIndex(of: UInt8(ascii: "(")) {
      let name = rest[..<open].suffix { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 <= 9 || "._".utf8.contains($0) }
      if let end = end(ofCallFrom: open, in: rest), let text = text(of: name, rest[(open + 1)..<end]) {
        output += rest[..<name.startIndex] + text.utf8
        (rest, isFound) = (rest[(end + 1)...], true)
      } else {
        output += rest[...open]
        rest = rest[(open + 1)...]
      }
    }
    return isFound ? output + rest : nil
  }

  /// The closing parenthesis of a call that opens at `open`.
  private static func end(ofCallFrom open: Int, in line: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    return line[open...].prefix(longestCall).indices.first { place in
      depth += line[place] == UInt8(ascii: "(") ? 1 : line[place] == UInt8(ascii: ")") ? -1 : 0
      return depth == 0
    }
  }

  /// The number or the time that a call is; `nil` if it is something else.
  private static func text(of name: ArraySlice<UInt8>, _ arguments: ArraySlice<UInt8>) -> String? {
    let words = String(decoding: name, as: UTF8.self).split(separator: ".")
    guard let kind = words.last.map(String.init), modules.contains(words.dropLast().joined(separator: ".")) else {
      return nil
    }
    let parts = String(decoding: arguments, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    if words.first == "datetime" { return time(kind, parts) }
    let isNumber = ["float", "int", "uint"].contains { kind.hasPrefix($0) && Int(kind.dropFirst($0.count)) != nil }
    // A zone behind the text is the one that the text states already.
    guard isNumber || numbers.contains(kind), let first = parts.first,
      parts.count == 1 || kind == "datetime64" || kind == "Timestamp"
    else { return nil }
    let text = first.filter { $0 != "'" && $0 != "\"" }
    return text.isEmpty ? nil : text
  }

  /// A date, a time of day or both as ISO 8601; `nil` with a zone that is not UTC.
  private static func time(_ kind: String, _ parts: [Substring]) -> String? {
    let zones: Set<Substring> = [
      "tzinfo=datetime.timezone.utc", "tzinfo=datetime.UTC", "tzinfo=<UTC>", "tzinfo=tzutc()",
    ]
    var numbers = parts.compactMap { Int($0) }
    let zone = parts.contains { zones.contains($0) } ? "Z" : ""
    guard parts.allSatisfy({ Int($0) != nil || zones.contains($0) || $0.hasPrefix("fold=") }),
      numbers.allSatisfy({ $0 >= 0 })
    else { return nil }
    var date = ""
    if kind != "time" {
      guard numbers.count >= (kind == "date" ? 3 : 5) else { return nil }
      date = "\(numbers[0].padded(4))-\(numbers[1].padded(2))-\(numbers[2].padded(2))"
      if kind == "date" { return numbers.count == 3 ? date : nil }
      date += "T"
      numbers.removeFirst(3)
    }
    guard (2...4).contains(numbers.count) else { return nil }
    numbers += Array(repeating: 0, count: 4 - numbers.count)
    return date + numbers.prefix(3).map { $0.padded(2) }.joined(separator: ":") + "." + numbers[3].padded(6) + zone
  }

  /// The first time in days of a line, and its seconds.
  private static func days(in line: [UInt8]) -> (range: Range<Int>, seconds: String)? {
    guard let mark = line.firstRange(of: " day".utf8) else { return nil }
    let digits = line[..<mark.lowerBound].suffix { $0 &- 0x30 <= 9 }
    guard (1...6).contains(digits.count), let days = Int64(String(decoding: digits, as: UTF8.self)),
      digits.startIndex == 0 || line[digits.startIndex - 1] != UInt8(ascii: "-")
    else { return nil }
    let behind = line[mark.upperBound...].trimmingPrefix("s".utf8)
    guard behind.first == 0x20 else { return nil }
    let clock = behind.dropFirst().prefix { $0 &- 0x30 <= 9 || ":.".utf8.contains($0) }
    guard let nanoseconds = DateTimeText.parseTimeOfDay(line.span, clock.indices) else { return nil }
    let fraction = String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst()
    return (digits.startIndex..<clock.endIndex, "\(days * 86_400 + nanoseconds / 1_000_000_000).\(fraction)")
  }
}

extension BidirectionalCollection {
  /// The longest end whose elements fulfil a condition.
  fileprivate func suffix(_ condition: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, condition(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}

extension NotationAdapter {
  static func printed(_ head: TextHead) -> NotationAdapter? {
    guard head.lines.count(where: { PrintedValues.plain($0) != nil }) >= TaggedTable.fewestRows else { return nil }
    return NotationAdapter { line, _ in line.count <= LineBuffer.longestLine ? PrintedValues.plain(line) : nil }
  }
}
