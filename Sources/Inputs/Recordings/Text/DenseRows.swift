import Accelerometry
import CDigitMask

/// Rows of up to 64 bytes that contain only the needed columns.
///
/// The end of a number is not known before it is parsed, so a sequential parser waits for each number. Here a bit mask
/// of all non-digits in the row is computed first, so that the processor can parse the numbers in parallel.
extension PlainRows {
  /// Parses one row and returns the beginning of the next; `nil` if the row is not dense.
  @inline(__always)
  func denseRow(
    _ line: UnsafePointer<UInt8>, _ state: inout Progress, _ tables: Tables,
    _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8>? {
    var marks = unsafe Self.nonDigitBits(line)
    var place = 0
    var nanoseconds: Int64
    if hasTime {
      guard let time = unsafe denseNumber(line, &marks, &place), unsafe line[place &- 1] == delimiter else {
        return nil
      }
      guard let stamp = unsafe timestamp(time.mantissa, time.decimals, tables) else { return nil }
      nanoseconds = stamp
    } else {
      guard let madeUp = madeUpTime(state) else { return nil }
      nanoseconds = madeUp
    }
    guard state.accepts(nanoseconds),
      let a = unsafe denseNumber(line, &marks, &place), unsafe line[place &- 1] == delimiter,
      let b = unsafe denseNumber(line, &marks, &place), unsafe line[place &- 1] == delimiter,
      let c = unsafe denseNumber(line, &marks, &place), place <= 64
    else { return nil }
    var at = unsafe line + (place &- 1)
    if unsafe at.pointee == 0x0A {
      unsafe at += 1
    } else {
      guard unsafe passLineEnd(&at), unsafe at - line <= LineBuffer.longestLine else { return nil }
    }
    let values = unsafe SIMD3(a.value(tables), b.value(tables), c.value(tables))
    append(nanoseconds, values, &state, &samples)
    return unsafe at
  }

  /// Parses rows of a time and three axes in registers. Returns the beginning of the first row that needs another
  /// parser.
  func denseRows(
    _ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ state: inout Progress,
    _ tables: (ticks: [Int64], scales: [Double]), _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8> {
    unsafe samples.withUnsafeMutableBufferPointer { all, count in
      unsafe tables.ticks.withUnsafeBufferPointer { ticks in
        unsafe tables.scales.withUnsafeBufferPointer { scales in
          guard let base = all.baseAddress, let ticks = ticks.baseAddress, let scales = scales.baseAddress else {
            return unsafe line
          }
          let room = unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: dense_sample.self)
          var rows = unsafe dense_rows(
            line: line, end: end, next: room + count, limit: room + all.count, last: state.last,
            last_but_one: state.lastButOne, longest_step: SampleAssembler.longestStep, plain_end: state.plainEnd,
            offset: state.offset, rows: 0, repeats: 0, first_repeat: 0, ticks: ticks, scales: scales,
            delimiter: delimiter, mark: mark, keeps_repeats: keepsRepeats)
          unsafe read_dense_rows(&rows)
          unsafe count = rows.next - room
          unsafe (state.last, state.lastButOne) = (rows.last, rows.last_but_one)
          if unsafe rows.repeats > 0 {
            if state.repeats == 0 { unsafe state.firstRepeat = state.rowIndex + Int(rows.first_repeat) }
            unsafe state.repeats += Int(rows.repeats)
          }
          unsafe state.rowIndex += Int(rows.rows)
          return unsafe rows.line
        }
      }
    }
  }

  /// Parses the number at `place` (one to eight digits; up to 18 digits more slowly), moves `place` past the byte that
  /// ends it, and clears the bits of `marks` up to there.
  ///
  /// When no mark is left in the window, `place` exceeds 64. The caller checks this later, so bytes after the window
  /// may be read: ``LineBuffer/slack`` has to follow.
  @inline(__always)
  private func denseNumber(
    _ line: UnsafePointer<UInt8>, _ marks: inout UInt64, _ place: inout Int
  ) -> DenseNumber? {
    let isNegative: Int64 = unsafe line[place] == UInt8(ascii: "-") ? 1 : 0
    var start = place &+ Int(isNegative)
    if isNegative == 1 { marks &= marks &- 1 }
    let first = marks.trailingZeroBitCount
    var digitsBefore = first &- start
    var end = first
    var decimals = 0
    if unsafe line[first] == mark {
      marks &= marks &- 1
      end = marks.trailingZeroBitCount
      decimals = end &- first &- 1
      // Without the zero before the decimal mark, eight decimals fit, which is how 32-bit floats are printed.
      let zero = unsafe line[start] == UInt8(ascii: "0") && decimals > 0 ? 1 : 0
      start &+= zero
      digitsBefore &-= zero
    }
    marks &= marks &- 1
    place = end &+ 1
    let count = digitsBefore &+ decimals
    guard UInt(bitPattern: count &- 1) < 8, digitsBefore < 8 else {
      guard count > 8, count <= 18, end < 64 else { return nil }
      let magnitude = unsafe Self.longMagnitude(line + start, digitsBefore, line + first + 1, decimals)
      return DenseNumber(magnitude: magnitude, isNegative: isNegative, decimals: decimals)
    }
    let word = unsafe UnsafeRawPointer(line + start).loadUnaligned(as: UInt64.self)
    let shifted = unsafe UnsafeRawPointer(line + start + 1).loadUnaligned(as: UInt64.self)
    let before = (UInt64(1) &<< UInt64(truncatingIfNeeded: digitsBefore &* 8)) &- 1
    let digits = (((word ^ shifted) & before) ^ shifted) ^ Self.zeros
    let magnitude = Int64(
      truncatingIfNeeded: Self.value(ofDigits: digits &<< UInt64(truncatingIfNeeded: 64 &- count &* 8)))
    return DenseNumber(magnitude: magnitude, isNegative: isNegative, decimals: decimals)
  }

  /// The number formed by up to 18 digits before and after the decimal mark.
  @inline(never)
  private static func longMagnitude(
    _ whole: UnsafePointer<UInt8>, _ digitsBefore: Int, _ fraction: UnsafePointer<UInt8>, _ decimals: Int
  ) -> Int64 {
    var value: Int64 = 0
    for i in 0..<digitsBefore { unsafe value = value &* 10 &+ Int64(whole[i] &- 0x30) }
    for i in 0..<decimals { unsafe value = value &* 10 &+ Int64(fraction[i] &- 0x30) }
    return value
  }

  /// A bit for each of the 64 bytes at `line` that is not a digit.
  @inline(__always)
  private static func nonDigitBits(_ line: UnsafePointer<UInt8>) -> UInt64 {
    unsafe UInt64(non_digits16(line)) | UInt64(non_digits16(line + 16)) &<< 16
      | UInt64(non_digits16(line + 32)) &<< 32 | UInt64(non_digits16(line + 48)) &<< 48
  }
}

/// A number in a dense row.
struct DenseNumber {
  let magnitude: Int64
  /// 1 if negative, otherwise 0.
  let isNegative: Int64
  let decimals: Int

  @inline(__always)
  var mantissa: Int64 { (magnitude ^ -isNegative) &+ isNegative }

  /// In g. A zero keeps its sign.
  @inline(__always)
  func value(_ tables: PlainRows.Tables) -> Float {
    let value = unsafe Float(Double(magnitude) * tables.scales[decimals])
    return Float(bitPattern: value.bitPattern ^ UInt32(truncatingIfNeeded: isNegative) &<< 31)
  }
}
