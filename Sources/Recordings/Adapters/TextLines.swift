/// Splits text that arrives in chunks into lines.
struct TextLines {
  private var rest: [UInt8] = []
  /// The number of bytes of ``rest`` that contain no line break.
  private var searched = 0

  /// Takes the next chunk.
  /// - Parameter take: called with each complete line, without its line break; with `isLast`, also with the rest.
  mutating func add(_ input: ArraySlice<UInt8>, isLast: Bool, _ take: (ArraySlice<UInt8>) -> Void) {
    rest += input
    var start = 0
    while let end = rest[max(start, searched)...].firstIndex(of: 0x0A) {
      take(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
    if isLast, !rest.isEmpty { take(rest[...]) }
    // No line with samples is this long.
    if isLast || rest.count > LineBuffer.longestLine { rest.removeAll() }
    searched = rest.count
  }
}
