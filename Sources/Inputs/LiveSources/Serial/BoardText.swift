import Platform

/// The beginning of a board's output, up to its first samples.
///
/// Boards may first print the end of a partial line, the boot loader's log at another rate, a banner or a prompt. Samples are
/// recognised by a constant count of numbers over ``rowsThatAgree`` lines. A header directly above them is kept.
struct BoardText {
  /// The number of consecutive lines with the same count of numbers, at least three, that are rows of samples.
  static let rowsThatAgree = 8
  /// The number of lines without such rows after which there are none.
  static let mostLines = 200
  /// The number of bytes without the end of a line after which there are no rows.
  static let mostBytes = 32_768
  /// The number of lines above the first row that may be its header.
  private static let headerLines = 3

  private struct Line {
    var range: Range<Int>
    var numbers: Int
  }

  private(set) var bytes: [UInt8] = []
  private var lines: [Line] = []
  private var scanned = 0
  private var lineStart = 0
  /// The number of lines with the same count of numbers at the end.
  private var run = 0

  var lineCount: Int { lines.count }

  mutating func append(_ more: some Collection<UInt8>) {
    bytes += more
    while scanned < bytes.count {
      // Old boards end lines with CR, and some boot loaders print NULs.
      if bytes[scanned] == 0x0A {
        add(lineStart..<scanned + 1)
        lineStart = scanned + 1
      }
      scanned += 1
    }
  }

  private mutating func add(_ range: Range<Int>) {
    let numbers = Self.numbers(in: bytes[range])
    if let last = lines.last, numbers >= 3, last.numbers == numbers, lines.count > 1 || run > 0 {
      run += 1
    } else {
      // The first line may be partial.
      run = numbers >= 3 && !lines.isEmpty ? 1 : 0
    }
    lines.append(Line(range: range, numbers: numbers))
  }

  /// Where the samples begin, with their header; `nil` before samples were found.
  var start: Int? {
    guard run >= Self.rowsThatAgree else { return nil }
    let first = lines.count - run
    var place = first
    while place > 0, first - place < Self.headerLines, isHeader(lines[place - 1]) { place -= 1 }
    return lines[place].range.lowerBound
  }

  /// The number of consecutive rows so far.
  var rows: Int { run }

  var isLong: Bool { lines.count >= Self.mostLines || bytes.count >= Self.mostBytes }

  /// All but the first line, if that may be a partial row.
  var afterPartialLine: ArraySlice<UInt8> {
    guard let first = lines.first, first.numbers > 0, lines.count > 1 else { return bytes[...] }
    return bytes[first.range.upperBound...]
  }

  var shareOfNoText: Double {
    let odd = bytes.count { ($0 < 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09) || $0 >= 0x7F }
    return bytes.isEmpty ? 0 : Double(odd) / Double(bytes.count)
  }

  /// The latest text for messages: without control characters, and shortened.
  var excerpt: String {
    let end = lines.last { line in bytes[line.range].contains { $0 > 0x20 } }.map { bytes[$0.range] } ?? bytes[...]
    return Self.printable(lineStart < bytes.count && lines.isEmpty ? bytes[...] : end)
  }

  /// The text after the last line, such as a prompt.
  var rest: String { Self.printable(bytes[lineStart...]) }

  static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    var text = bytes.prefix { $0 != 0x0A }
    while let last = text.last, last <= 0x20 { text.removeLast() }
    return PrintableText.line(String(decoding: text, as: UTF8.self), longest: 60)
  }

  /// A header names columns: text with separators, a comment, or this program's metadata.
  private func isHeader(_ line: Line) -> Bool {
    let text = bytes[line.range]
    guard line.numbers < 3, text.allSatisfy({ $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || (0x20...0x7E).contains($0) })
    else { return false }
    let first = text.first { $0 > 0x20 }
    let separators = text.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == 0x09 }
    return first == UInt8(ascii: "#") || separators >= 2
  }

  /// The count of decimal numbers in a line; digits after a letter, as in `x1` or `0x3f`, do not count.
  static func numbers(in line: ArraySlice<UInt8>) -> Int {
    var (count, isInNumber, followsLetter, previous) = (0, false, false, UInt8(0))
    for byte in line {
      let isExponent = (byte | 0x20) == UInt8(ascii: "e")
      let followsExponent = (previous | 0x20) == UInt8(ascii: "e")
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      previous = byte
      if byte &- 0x30 <= 9 {
        if !isInNumber, !followsLetter {
          count += 1
          isInNumber = true
        }
      } else if !isInNumber || !(byte == UInt8(ascii: ".") || isExponent || (isSign && followsExponent)) {
        isInNumber = false
        followsLetter = (byte | 0x20) &- 0x61 <= 25 || byte == UInt8(ascii: "_")
      }
    }
    return count
  }
}
