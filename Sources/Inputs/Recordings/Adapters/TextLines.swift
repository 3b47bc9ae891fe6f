/// Splits text that arrives in chunks into lines.
struct TextLines {
  /// What stands in front of the first line, such as the names of columns.
  var preface: [UInt8] = []
  private var rest: [UInt8] = []
  /// The number of bytes of ``rest`` that contain no line break.
  private var searched = 0

  /// Takes the next chunk.
  ///
  /// Carriage returns inside a line, which some transmissions add, are removed. One is written in front of what the line
  /// becomes, so that the reader of the rows reports them.
  /// - Parameter take: appends what a complete line, without its line break, becomes; with `isLast`, also for the rest.
  mutating func add(
    _ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8],
    _ take: (_ line: ArraySlice<UInt8>, _ output: inout [UInt8]) -> Void
  ) {
    func pass(_ line: ArraySlice<UInt8>) {
      let end = (line.lastIndex { $0 != 0x0D } ?? line.startIndex - 1) + 1
      let line = line[..<end]
      guard let plain = PlainText.plain(line.span, 0..<line.count, dropsReturns: true) else {
        return take(line, &output)
      }
      if line.contains(0x0D) { output.append(0x0D) }
      take(plain[...], &output)
    }
    output += preface
    preface = []
    rest += input
    var start = 0
    while let end = rest[max(start, searched)...].firstIndex(of: 0x0A) {
      pass(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
    if isLast, !rest.isEmpty { pass(rest[...]) }
    // No line with samples is this long.
    if isLast || rest.count > LineBuffer.longestLine { rest.removeAll() }
    searched = rest.count
  }
}
