import Glibc

/// Long lines that make a reader look far ahead or far back: one piece, again and again.
package enum LongLines {
  /// The pieces.
  package static let pieces = [
    "[1", "1(", "1{x", "(", "[", "{", "]", "}", "[[1,2,3],", "{\"a\":", "{\"x\":1,", "\"x\":[1,2,3,4],", "\"", "\"\"",
    "\\", "\\\"", "\\u12", "1", "1,", "1;", "1 ", "-", "+1", "1e", "1.", ".", "1:", "12:1", "2026-01-01 ", "1,234,",
    "x", "x ", "X", "x:1 ", "x=1,", "ax=1 ay=2 az=3 ", "fields.", "field.", "acc(1,2,3) ", "t:1 ", "g ", " ",
    "\t", "\r", "\0", "é", "🇩🇪", "a\u{301}", "#", "# hz ", "sampling rate ", "sample ", "channel type=",
    "(accel_x) value=1ns,(", ">ax:1", ": ", "Event: time 1, type ", "- [ 0, ", "E: 0 ", "data:", "totalacc", "start:",
    "xyzhzampldateepoch",
  ]

  /// A line of one piece, without a line break and of about this length: both ends are those of the piece.
  package static func line(of piece: String, length: Int) -> [UInt8] {
    line(of: piece, times: length / piece.utf8.count)
  }

  private static func line(of piece: String, times: Int) -> [UInt8] {
    Array(repeatElement(Array(piece.utf8), count: times).joined())
  }

  /// The pieces for which the work grows faster than the length of the line: by more than 64 for a line that is sixteen
  /// times as long. Linear work grows by 16, quadratic work by 256.
  ///
  /// The measure is the processor time of this thread, which other programs influence little. A result above the limit
  /// is measured again, and the lowest counts.
  package static func superlinear(
    from short: Int = 512, _ pieces: [String] = pieces, _ read: ([UInt8]) -> Void
  ) -> [String] {
    pieces.filter { piece in
      let times = short / piece.utf8.count
      let lines = [line(of: piece, times: times), line(of: piece, times: times * 16)]
      var least = [Int64.max, Int64.max]
      for _ in 0..<5 {
        for index in 0...1 { least[index] = min(least[index], cost { read(lines[index]) }) }
        if least[1] <= least[0] * 64 { return false }
      }
      return true
    }
  }

  private static func cost(_ work: () -> Void) -> Int64 {
    let start = now
    work()
    return max(1, now - start)
  }

  private static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
