import Accelerometry

/// What stands around the values of a line of JSON, which the lines of a program share.
///
/// It only accepts lines that equal the latest one byte by byte except in their values, so the result is that of ``JSONFields``.
struct JSONFrame {
  enum Follower {
    case frame
    case time
    case axis(Int)
    /// A value that is not needed, and whether it is in quotes.
    case other(isQuoted: Bool)
    case lineEnd
  }

  /// Up to eight bytes of the frame.
  struct Piece {
    var word: UInt64
    var mask: UInt64
    var length: Int
    var follower: Follower
  }

  let pieces: [Piece]

  /// - Parameters:
  ///   - bytes: the bytes before each value and after the last one.
  ///   - ends: where the bytes before each value end.
  ///   - follower: the use of each value.
  init(_ bytes: [UInt8], _ ends: [Int], _ follower: (Int) -> Follower?) {
    var pieces: [Piece] = []
    var start = 0
    for (index, end) in (ends + [bytes.count]).enumerated() {
      var last = Follower.lineEnd
      if index < ends.count {
        last = follower(index) ?? .other(isQuoted: end > 0 && bytes[end - 1] == UInt8(ascii: "\""))
      }
      repeat {
        let length = min(8, end - start)
        let word = (0..<length).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
        start += length
        pieces.append(
          Piece(
            word: word, mask: length < 8 ? 1 << UInt64(8 * length) - 1 : .max, length: length,
            follower: start < end ? .frame : last))
      } while start < end
    }
    self.pieces = pieces
  }
}

/// Rows of JSON Lines.
extension PlainRows {
  /// Parses rows and returns the beginning of the first that it cannot parse.
  @_lifetime(samples: copy samples)
  func framedRows(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ pieces: UnsafeBufferPointer<JSONFrame.Piece>,
    _ state: inout Progress, _ tables: Tables, _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8> {
    var line = unsafe first
    while unsafe line < end, !samples.isFull, let next = unsafe framedRow(line, end, pieces, &state, tables, &samples) {
      unsafe line = next
    }
    return unsafe line
  }

  /// Parses one row and returns the beginning of the next; `nil` if it differs from the frame, or from plain numbers.
  ///
  /// No byte of the frame and of a plain value is a line feed, so it does not read beyond the line by more than
  /// ``LineBuffer/slack``.
  @inline(__always) @_lifetime(samples: copy samples)
  private func framedRow(
    _ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ pieces: UnsafeBufferPointer<JSONFrame.Piece>,
    _ state: inout Progress, _ tables: Tables, _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8>? {
    var at = unsafe line
    var nanoseconds: Int64 = 0
    if !hasTime {
      guard let madeUp = madeUpTime(state) else { return nil }
      nanoseconds = madeUp
    }
    var values = SIMD3<Float>()
    for index in 0..<pieces.count {
      let piece = unsafe pieces[index]
      let word = unsafe UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
      guard (word ^ piece.word) & piece.mask == 0 else { return nil }
      unsafe at += piece.length
      switch piece.follower {
      case .frame: break
      case .axis(let axis):
        guard let value = unsafe self.axis(&at, tables) else { return nil }
        values[axis] = value
      case .time:
        if isCalendar {
          guard let time = unsafe minute.take(&at, end) else { return nil }
          nanoseconds = time
        } else {
          var (mantissa, decimals): (Int64, Int) = (0, 0)
          guard unsafe number(&at, &mantissa, &decimals),
            let time = unsafe timestamp(mantissa, decimals, tables)
          else { return nil }
          nanoseconds = time
        }
      case .other(let isQuoted): guard unsafe skipValue(&at, isQuoted: isQuoted) else { return nil }
      case .lineEnd:
        if unsafe at.pointee == 0x0D { unsafe at += 1 }
        guard unsafe at.pointee == 0x0A else { return nil }
        unsafe at += 1
      }
    }
    guard state.accepts(nanoseconds), unsafe at - line <= LineBuffer.longestLine else { return nil }
    append(nanoseconds, values, &state, &samples)
    return unsafe at
  }

  private func skipValue(_ at: inout UnsafePointer<UInt8>, isQuoted: Bool) -> Bool {
    let start = unsafe at
    if isQuoted {
      while unsafe at.pointee != UInt8(ascii: "\"") {
        if unsafe at.pointee == UInt8(ascii: "\\") || at.pointee < 0x20 { return false }
        unsafe at += 1
      }
      return true
    }
    while unsafe !JSONFields.endsScalar(at.pointee) { unsafe at += 1 }
    return unsafe at > start
  }
}
