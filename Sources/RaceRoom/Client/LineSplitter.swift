/// Joins the pieces of a stream to lines, wherever it was cut: between CR and LF, or within a character.
struct LineSplitter: Sendable {
  /// Longer lines are left out, so that a stream without line ends fills no memory.
  static let longest = 1 << 20

  private var rest: [UInt8] = []
  private var isTooLong = false

  /// Takes a piece.
  /// - Returns: the lines that are whole now, without their ends; no empty ones.
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
