/// Cuts text that comes in pieces into lines.
struct TextLines {
  private var rest: [UInt8] = []

  /// Takes some more text.
  /// - Parameter take: gets each line that has come to its end, without that end; with `isLast` also what is left.
  mutating func add(_ input: ArraySlice<UInt8>, isLast: Bool, _ take: (ArraySlice<UInt8>) -> Void) {
    rest += input
    var start = 0
    while let end = rest[start...].firstIndex(of: 0x0A) {
      take(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
    if isLast, !rest.isEmpty { take(rest[...]) }
    // No line of samples is as long.
    if isLast || rest.count > LineBuffer.longestLine { rest.removeAll() }
  }
}
