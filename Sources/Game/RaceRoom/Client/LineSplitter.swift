/// Joins the chunks of a stream to lines, wherever they are split: between CR and LF, or within a character.
struct LineSplitter: Sendable {
  /// Longer lines are dropped, so that a stream without line breaks does not fill the memory.
  static let longest = 1 << 20

  private var rest: [UInt8] = []
  private var isTooLong = false

  /// Takes a chunk.
  /// - Returns: the lines that are now complete, without line breaks; no empty ones.
  mutating func append(_ chunk: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for part in chunk.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { finish(&lines) }
      rest += part.element
      if rest.count > Self.longest {
        isTooLong = true
        rest = []
      }
    }
    return lines
  }

  private mutating func finish(_ lines: inout [[UInt8]]) {
    if rest.last == 0x0D { rest.removeLast() }
    if !rest.isEmpty, !isTooLong { lines.append(rest) }
    rest = []
    isTooLong = false
  }
}
