/// What is examined of a recording before its first sample is returned: all of a short one, or pieces spread over it.
enum FilePieces {
  private static let count = 32

  /// The pieces of bytes or rows, from the first to the last, with about `most` in all.
  static func of(_ whole: Range<Int>, most: Int) -> [Range<Int>] {
    if whole.count <= most { return [whole] }
    let length = most / count
    return (0..<count).map { piece in
      let start = whole.lowerBound + (whole.count - length) / (count - 1) * piece
      return start..<start + length
    }
  }
}

extension ByteSource {
  /// Passes each line to a closure, with its number and whether the text ends without its line break.
  /// - Parameter most: the bytes to read; a few more are passed.
  /// - Returns: whether these were all lines.
  func eachLine(
    upTo most: Int = .max, _ body: (_ bytes: Span<UInt8>, _ line: Range<Int>, _ number: Int, _ isOpen: Bool) -> Void
  ) throws(RecordingError) -> Bool {
    var lines = LineBuffer(capacity: 1 << 17)
    while !lines.isEnded, lines.consumedBytes < most {
      try lines.fill(from: self)
      while let line = lines.line(at: lines.start) {
        if lines.makePlain(line.content) != nil { continue }
        body(lines.bytes.span, line.content, lines.line, lines.lastLineIsOpen && line.next == lines.linesEnd)
        lines.consume(upTo: line.next, lines: 1)
      }
    }
    return lines.isEnded
  }
}
