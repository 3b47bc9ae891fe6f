/// Joins the chunks of a stream to lines, wherever they are split: between CR and LF, or within a character.
package struct LineSplitter: Sendable {
  /// What becomes of a line that is too long, so that a stream without line breaks does not fill the memory.
  package enum Excess: Sendable {
    /// It is left out.
    case dropped
    /// Its end is left out.
    case cut
  }

  private let longest: Int
  private let excess: Excess
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// - Parameter longest: the maximum length of a line, in bytes.
  package init(longest: Int = 1 << 20, _ excess: Excess = .dropped) { (self.longest, self.excess) = (longest, excess) }

  /// Takes a chunk.
  /// - Returns: the lines that are now complete, without line breaks.
  package mutating func append(_ chunk: some Collection<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for part in chunk.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0, let line = finish() { lines.append(line) }
      // A return at its end does not count.
      isTooLong = isTooLong || rest.count + part.element.count > longest + 1
      rest += isTooLong ? part.element.prefix(max(0, longest - rest.count)) : part.element[...]
    }
    return lines
  }

  /// The text after the last line break, as a line.
  package mutating func finish() -> [UInt8]? {
    defer { (rest, isTooLong) = ([], false) }
    if rest.last == 0x0D { rest.removeLast() }
    isTooLong = isTooLong || rest.count > longest
    if !isTooLong { return rest }
    return excess == .cut ? Array(rest.prefix(longest)) : nil
  }
}
