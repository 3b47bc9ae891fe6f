/// A window of fixed size on a text of any length: complete lines, and the beginning of the next.
///
/// A line that exceeds ``longestLine`` is dropped while it arrives, so that a gigabyte without a line break takes no
/// more memory than a short line.
struct LineBuffer: ~Copyable {
  /// Longer lines are not samples. In bytes, without the line break.
  static let longestLine = 65_536
  /// The smallest window that holds a line of any length, and what follows it.
  static let leastCapacity = longestLine + 4096
  /// The number of first bytes that are kept.
  static let headLength = 256
  /// Room after the text, so that a row may be read beyond its end.
  static let slack = 256

  /// The text; complete lines are in `start..<linesEnd`, each with a line feed at its end.
  private(set) var bytes: [UInt8]
  private(set) var start = 0
  private(set) var linesEnd = 0
  private var end = 0
  /// The number of the line at `start`, from 1.
  private(set) var line = 1
  /// Whether the text has ended; then its last line has a line feed too.
  private(set) var isEnded = false
  /// Whether the text's last line had no line feed.
  private(set) var lastLineIsOpen = false
  /// The number of dropped lines since the last call of ``takeDroppedLines()``, and the first of them.
  private(set) var droppedLines: (count: Int, first: Int) = (0, 0)
  /// Bytes of text dropped or consumed before `start`.
  private(set) var consumedBytes = 0
  /// The first bytes of the text, which identify kinds of files.
  private(set) var head: [UInt8] = []
  private(set) var bytesRead = 0
  /// The last bytes of the latest read, for messages.
  private(set) var latest: [UInt8] = []
  private var isDropping = false
  private var lineBreaks = LineBreaks.unknown
  /// Carriage returns in the first line that may be line breaks.
  private var returns = 0

  /// Old Macs ended lines with a single carriage return.
  private enum LineBreaks { case unknown, lineFeed, carriageReturn }

  /// Makes room for `capacity` bytes of text.
  init(capacity: Int = 1 << 18) { bytes = [UInt8](repeating: 0, count: capacity + Self.slack) }

  var available: Int { linesEnd - start }
  /// Whether the buffer is full until something is consumed.
  var isFull: Bool { start == 0 && end == bytes.count - Self.slack }

  /// The line that begins at `place`, without its line break, and the beginning of the next one; `nil` if it is incomplete.
  func line(at place: Int) -> (content: Range<Int>, next: Int)? {
    guard place < linesEnd else { return nil }
    let text = bytes.span
    var i = place
    while text[i] != 0x0A { i += 1 }
    var end = i
    while end > place, text[end - 1] == 0x0D { end -= 1 }
    return (place..<end, i + 1)
  }

  /// A line without the carriage returns inside it, which some transmissions add, and with ASCII numbers
  /// (``PlainText``); `nil` if it is so already.
  func plainText(_ line: Range<Int>) -> [UInt8]? { PlainText.plain(bytes.span, line, dropsReturns: true) }

  /// Passes a line as ``plainText(_:)`` has it to a closure.
  func withPlainText<Result>(_ line: Range<Int>, _ body: (Span<UInt8>, Range<Int>) -> Result) -> Result {
    guard let plain = plainText(line) else { return body(bytes.span, line) }
    return body(plain.span, plain.indices)
  }

  /// Replaces a line by its ``plainText(_:)``, behind empty lines.
  /// - Returns: whether it had carriage returns; `nil` if it is plain already.
  mutating func makePlain(_ line: Range<Int>) -> Bool? {
    guard let plain = plainText(line) else { return nil }
    let hadReturns = bytes[line].contains(0x0D)
    // Its end stays where it is.
    let begin = line.upperBound - plain.count
    bytes.replaceSubrange(line, with: [UInt8](repeating: 0x0A, count: line.count - plain.count) + plain)
    if line.lowerBound == start {
      consumedBytes += begin - start
      start = begin
    }
    return hadReturns
  }

  /// Moves the beginning up to `place`, which is `lines` lines further on.
  mutating func consume(upTo place: Int, lines: Int) {
    consumedBytes += place - start
    start = place
    line += lines
  }

  /// Returns and resets the dropped lines.
  mutating func takeDroppedLines() -> (count: Int, first: Int) {
    defer { droppedLines = (0, 0) }
    return droppedLines
  }

  /// Skips a byte order mark.
  mutating func consumeBytes(_ count: Int) {
    consumedBytes += count
    start += count
    linesEnd = max(linesEnd, start)
  }

  /// Reads once, after moving the rest to the front.
  mutating func fill(from source: ByteSource) throws(RecordingError) {
    makeRoom()
    let from = end
    let limit = bytes.count - Self.slack
    let count = try source.read(into: &bytes, from: from, to: limit)
    end += count
    bytesRead += count
    if count > 0 { latest = Array(bytes[max(from, from + count - Self.headLength)..<from + count]) }
    if head.count < Self.headLength { head += bytes[from..<min(end, from + Self.headLength - head.count)] }
    if count == 0 { finish() } else { findLines(from: from) }
  }

  private mutating func makeRoom() {
    if start == end {
      (start, linesEnd, end) = (0, 0, 0)
    } else if start > 0 {
      let kept = start..<end
      unsafe bytes.withUnsafeMutableBytes { all in
        unsafe all.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[kept]))
      }
      (linesEnd, end, start) = (linesEnd - start, end - start, 0)
    }
  }

  /// The last line ends with the text.
  private mutating func finish() {
    isEnded = true
    if lineBreaks == .unknown, returns > 0 { convertReturns() }
    if isDropping {
      isDropping = false
      line += 1
    } else if linesEnd < end {
      lastLineIsOpen = bytes[end - 1] != 0x0D
      bytes[end] = 0x0A
      end += 1
      linesEnd = end
    }
  }

  private mutating func findLines(from: Int) {
    let wasUnknown = lineBreaks == .unknown
    if lineBreaks != .lineFeed { recogniseLineBreaks(from: from) }
    if isDropping, !dropUpToLineBreak(from: from) { return }
    let first = wasUnknown && lineBreaks == .carriageReturn ? start : max(from, start)
    var i = end
    while i > first, bytes[i - 1] != 0x0A { i -= 1 }
    if i > first { linesEnd = i }
    if linesEnd <= start, end - start > Self.longestLine { dropUnfinishedLine() }
  }

  private mutating func dropUnfinishedLine() {
    if droppedLines.count == 0 { droppedLines.first = line }
    droppedLines.count += 1
    isDropping = true
    dropRead()
  }

  /// Drops the text, except a carriage return that may be a line break.
  private mutating func dropRead() {
    let kept = end > start && lineBreaks != .lineFeed && bytes[end - 1] == 0x0D ? 1 : 0
    consumedBytes += end - start - kept
    if kept == 1 { bytes[0] = 0x0D }
    (start, linesEnd, end) = (0, 0, kept)
  }

  /// Whether the end of the long line was found in the bytes read last.
  private mutating func dropUpToLineBreak(from: Int) -> Bool {
    var i = max(start, from - 1)
    while i < end, bytes[i] != 0x0A { i += 1 }
    guard i < end else {
      dropRead()
      return false
    }
    consumedBytes += i + 1 - start
    (start, linesEnd) = (i + 1, i + 1)
    line += 1
    isDropping = false
    return true
  }

  /// Converts single carriage returns to line feeds, if two come before the first line feed. One may be damage.
  private mutating func recogniseLineBreaks(from: Int) {
    for i in max(0, from - 1)..<end {
      if bytes[i] == 0x0A, lineBreaks == .unknown {
        lineBreaks = .lineFeed
        return
      }
      guard isSingleReturn(i) else { continue }
      returns += 1
      if lineBreaks == .carriageReturn || returns > 1 { return convertReturns() }
    }
  }

  /// The byte after a carriage return decides, and may not have arrived yet. Two before a line feed end one line, as where line
  /// ends of Windows were converted twice.
  private func isSingleReturn(_ i: Int) -> Bool {
    guard bytes[i] == 0x0D, i + 1 < end else { return false }
    let next = bytes[i + 1] == 0x0D ? i + 2 : i + 1
    return next < end && bytes[next] != 0x0A
  }

  private mutating func convertReturns() {
    lineBreaks = .carriageReturn
    for i in start..<end where isSingleReturn(i) { bytes[i] = 0x0A }
  }
}
