/// The beginning of what a board prints, up to its first samples.
///
/// Boards print other things first: the end of a line that began before the port was opened, the boot loader's log at another
/// rate, a banner, a prompt. Samples are known by their number of numbers, which stays the same over ``rowsThatAgree`` lines. A
/// header right above them is kept.
struct BoardText {
  /// So many lines in succession with equally many numbers, three at least, are rows of samples.
  static let rowsThatAgree = 8
  /// So many lines without such rows are enough to say that there are none.
  static let mostLines = 200
  /// And so many bytes without the end of a line.
  static let mostBytes = 32_768
  /// Lines above the first row that may be its header.
  private static let headerLines = 3

  /// A whole line.
  private struct Line {
    var range: Range<Int>
    var numbers: Int
  }

  /// All that came, in whole lines and what follows them.
  private(set) var bytes: [UInt8] = []
  private var lines: [Line] = []
  private var scanned = 0
  private var lineStart = 0
  /// Lines with equally many numbers at the end.
  private var run = 0

  /// Whole lines so far.
  var lineCount: Int { lines.count }

  /// Takes the next bytes.
  mutating func append(_ more: some Collection<UInt8>) {
    bytes += more
    while scanned < bytes.count {
      // Old boards end lines with CR, and some loaders print NULs.
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
      // The first line of all may be the end of one.
      run = numbers >= 3 && !lines.isEmpty ? 1 : 0
    }
    lines.append(Line(range: range, numbers: numbers))
  }

  /// Where the samples begin, with their header; `nil` as long as none were seen.
  var start: Int? {
    guard run >= Self.rowsThatAgree else { return nil }
    let first = lines.count - run
    var place = first
    while place > 0, first - place < Self.headerLines, isHeader(lines[place - 1]) { place -= 1 }
    return lines[place].range.lowerBound
  }

  /// Rows seen so far in succession.
  var rows: Int { run }

  /// Whether so much came that samples should have been among it.
  var isLong: Bool { lines.count >= Self.mostLines || bytes.count >= Self.mostBytes }

  /// All but the first line, if that is the end of a row.
  var afterPartialLine: ArraySlice<UInt8> {
    guard let first = lines.first, first.numbers > 0, lines.count > 1 else { return bytes[...] }
    return bytes[first.range.upperBound...]
  }

  /// The bytes that are no text, of all.
  var shareOfNoText: Double {
    let odd = bytes.count { ($0 < 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09) || $0 >= 0x7F }
    return bytes.isEmpty ? 0 : Double(odd) / Double(bytes.count)
  }

  /// What came last, for people: without control characters, and not endlessly.
  var excerpt: String {
    let end = lines.last { line in bytes[line.range].contains { $0 > 0x20 } }.map { bytes[$0.range] } ?? bytes[...]
    return Self.printable(lineStart < bytes.count && lines.isEmpty ? bytes[...] : end)
  }

  /// What came behind the last line, such as a prompt.
  var rest: String { Self.printable(bytes[lineStart...]) }

  static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    let most = 60
    var text = bytes.prefix { $0 != 0x0A }
    while let last = text.last, last <= 0x20 { text.removeLast() }
    let shown = text.prefix(most).map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "·" }.joined()
    return shown + (text.count > most ? "…" : "")
  }

  /// A header names columns: it is text with separators, a comment, or our own metadata.
  private func isHeader(_ line: Line) -> Bool {
    let text = bytes[line.range]
    guard line.numbers < 3, text.allSatisfy({ $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || (0x20...0x7E).contains($0) })
    else { return false }
    let first = text.first { $0 > 0x20 }
    let separators = text.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == 0x09 }
    return first == UInt8(ascii: "#") || separators >= 2
  }

  /// How many decimal numbers stand in a line; digits that follow a letter, as in `x1` or `0x3f`, are none.
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
