import Accelerometry
import CDigitMask

/// Parses plain rows at memory speed: decimal numbers with a decimal mark, no quotes, no exponents, and the time before
/// the axes; or lines of JSON that differ from the latest one in their values only.
///
/// Eight bytes are processed at once (SIMD within a register): a byte is a digit if it is at most nine after `^ '0'`;
/// the first other byte ends the run; the decimal mark is removed by combining the bytes before it with those loaded
/// one position later; three multiplications convert eight digits to a number. The loop stops at the beginning of any
/// other line. ``RowDecoder`` then parses that line, with the same result for lines that both can parse.
struct PlainRows {
  /// The state of the loop.
  struct Progress {
    /// The beginning of the next line.
    var place: Int
    /// The timestamp of the last row, in the recording's nanoseconds.
    var last: Int64
    /// The timestamp of the row before that.
    var lastButOne: Int64 = 0
    /// See ``SampleAssembler/plainEnd``.
    let plainEnd: Int64
    /// The difference between the timeline and the recording's timestamps.
    let offset: Int64
    /// The number of the row, if there are no timestamps.
    var rowIndex: Int
    /// Rows that repeat the previous timestamp and are skipped, and ``rowIndex`` of the first.
    var repeats = 0
    var firstRepeat = 0

    /// Whether this time is that of the next sample (without a gap) or a repeat of the last one.
    @inline(__always)
    func accepts(_ nanoseconds: Int64) -> Bool {
      UInt64(bitPattern: nanoseconds &- last) <= UInt64(SampleAssembler.longestStep) && nanoseconds <= plainEnd
    }

    mutating func noteRepeat() {
      if repeats == 0 { firstRepeat = rowIndex - 1 }
      repeats += 1
    }
  }

  /// Pointers to ``ticks`` and ``scales``.
  @unsafe
  struct Tables {
    let ticks: UnsafePointer<Int64>
    let scales: UnsafePointer<Double>
  }

  let delimiter: UInt8
  let mark: UInt8
  let hasTime: Bool
  /// As many rows in succession that do not fit into registers end the attempts.
  private static let budget = 8
  /// The number of columns to skip before the time and before each axis.
  private let skips: (Int, Int, Int, Int)
  /// See ``ColumnLayout/beginsWithCounter``.
  private let beginsWithCounter: Bool
  /// The positions of x, y and z among the axes in the order of the columns; `nil` if they are in this order.
  private let order: SIMD3<Int>?
  /// Nanoseconds per unit of a timestamp with this many decimals; 0 if that is not an integer.
  private let ticks: [Int64]
  /// 10^-n of the acceleration's unit in g.
  private let scales: [Double]
  private let madeUpPeriod: Double
  /// Whether the times are dates or times of day, of which only the minute of the latest slower row is read here.
  let isCalendar: Bool
  var minute = MinuteCache()
  /// Whether the rows are JSON; then only those are read that fit ``frame``.
  let isJSON: Bool
  /// What stands around the values of the latest line of JSON.
  var frame: JSONFrame?
  /// Whether rows that repeat a time are samples, too, as whole seconds do.
  let keepsRepeats: Bool
  /// Tables for ``read_dense_rows``; `nil` if the rows or the processor do not support it.
  private let registers: (ticks: [Int64], scales: [Double])?

  /// Returns `nil` if rows of this layout are never plain.
  /// - Parameters:
  ///   - decoder: parses the other rows.
  ///   - decimalMark: the byte before the decimals.
  ///   - keepsRepeats: whether rows that repeat a time are samples, too.
  ///   - usesRegisters: whether to parse rows in registers if the processor supports it.
  init?(_ decoder: RowDecoder, decimalMark: UInt8, keepsRepeats: Bool = false, usesRegisters: Bool = true) {
    let layout = decoder.layout
    guard decoder.timestampFormat.isPowerOfTen || !decoder.timestampFormat.isNumber, decoder.unsignedRange == nil else {
      return nil
    }
    isCalendar = layout.time != nil && !decoder.timestampFormat.isNumber
    hasTime = layout.time != nil
    self.keepsRepeats = keepsRepeats
    let power = decoder.timestampFormat.powerOfTen
    ticks = (0...9).map { $0 <= power ? Int64(PowersOfTen.whole[power - $0]) : 0 }
    scales = (0...19).map { decoder.scales[PowersOfTen.zero - $0] }
    madeUpPeriod = decoder.madeUpPeriod
    mark = decimalMark
    beginsWithCounter = layout.beginsWithCounter
    guard case .csv(let dialect) = decoder.fields.kind else {
      guard !layout.timeSpansTwo else { return nil }
      (isJSON, delimiter, skips, order, registers) = (true, 0, (0, 0, 0, 0), nil, nil)
      return
    }
    isJSON = false
    let axes = [layout.x, layout.y, layout.z]
    let columns = axes.sorted()
    guard columns[0] < columns[1], columns[1] < columns[2], layout.time ?? -1 < columns[0] else { return nil }
    delimiter = dialect.delimiter
    let first = layout.time.map { layout.timeSpansTwo ? $0 + 2 : $0 + 1 } ?? 0
    guard first <= columns[0] else { return nil }
    skips = (layout.time ?? 0, columns[0] - first, columns[1] - columns[0] - 1, columns[2] - columns[1] - 1)
    let order = SIMD3(axes.map { axis in columns.firstIndex(of: axis) ?? 0 })
    self.order = order == SIMD3(0, 1, 2) ? nil : order
    let isDense = skips == (0, 0, 0, 0) && !isCalendar && hasTime && self.order == nil
    let fitsRegisters = usesRegisters && isDense && Self.hasRegisters
    registers = fitsRegisters ? (ticks: [ticks[0]] + ticks, scales: [scales[0]] + scales) : nil
  }

  /// Whether ``read_dense_rows`` is available and the memory layout of samples matches.
  private static let hasRegisters =
    can_read_dense_rows() && MemoryLayout<AccelerationSample>.stride == MemoryLayout<dense_sample>.stride
    && MemoryLayout<AccelerationSample>.offset(of: \.lanes) == 0
    && MemoryLayout<AccelerationSample>.offset(of: \.nanoseconds) == MemoryLayout<SIMD4<Float>>.size

  /// Parses rows while they are plain, follow in time, and fit into the output.
  ///
  /// ``LineBuffer/slack`` readable bytes must follow `linesEnd`.
  @_lifetime(samples: copy samples)
  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, linesEnd: Int, progress: inout Progress,
    into samples: inout OutputSpan<AccelerationSample>
  ) {
    guard let base = bytes.baseAddress else { return }
    var state = progress
    let end = unsafe base + linesEnd
    var line = unsafe base + state.place
    unsafe ticks.withUnsafeBufferPointer { ticks in
      unsafe scales.withUnsafeBufferPointer { scales in
        guard let ticks = ticks.baseAddress, let scales = scales.baseAddress else { return }
        let tables = unsafe Tables(ticks: ticks, scales: scales)
        guard isJSON else {
          unsafe line = rows(line, end, &state, tables, &samples)
          return
        }
        guard let pieces = frame?.pieces else { return }
        unsafe pieces.withUnsafeBufferPointer { pieces in
          unsafe line = framedRows(line, end, pieces, &state, tables, &samples)
        }
      }
    }
    state.place = unsafe line - base
    progress = state
  }

  /// Parses rows and returns the beginning of the first that it cannot parse.
  @inline(__always) @_lifetime(samples: copy samples)
  private func rows(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ state: inout Progress, _ tables: Tables,
    _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8> {
    var line = unsafe first
    var budget = Self.budget
    while unsafe line < end, !samples.isFull {
      if budget > 0, let registers {
        let next = unsafe denseRows(line, end, &state, registers, &samples)
        budget = unsafe next > line ? Self.budget : budget &- 1
        unsafe line = next
        if unsafe line >= end || samples.isFull { break }
      }
      guard let next = unsafe row(line, end, &state, tables, &samples) else { break }
      unsafe line = next
    }
    return unsafe line
  }

  /// Parses rows of nothing but a time and three axes in registers.
  /// - Returns: the beginning of the first row that needs another parser.
  @_lifetime(samples: copy samples)
  private func denseRows(
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

  /// Parses one row and returns the beginning of the next; `nil` if it is not plain.
  @_lifetime(samples: copy samples)
  private func row(
    _ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ state: inout Progress, _ tables: Tables,
    _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8>? {
    var at = unsafe line
    var (mantissa, decimals): (Int64, Int) = (0, 0)
    var calendar: Int64 = 0
    while unsafe at.pointee == 0x20 { unsafe at += 1 }
    if beginsWithCounter, unsafe at.pointee &- 0x30 > 9 { return nil }
    if isCalendar {
      guard unsafe skip(&at, skips.0), let time = unsafe minute.take(&at, end), unsafe passDelimiter(&at) else {
        return nil
      }
      calendar = time
    } else if hasTime {
      guard unsafe skip(&at, skips.0), unsafe number(&at, &mantissa, &decimals), unsafe passDelimiter(&at) else {
        return nil
      }
    }
    guard
      let nanoseconds = unsafe isCalendar
        ? calendar : hasTime ? timestamp(mantissa, decimals, tables) : madeUpTime(state), state.accepts(nanoseconds)
    else { return nil }
    guard unsafe skip(&at, skips.1), let a = unsafe axis(&at, tables), unsafe passDelimiter(&at),
      unsafe skip(&at, skips.2), let b = unsafe axis(&at, tables), unsafe passDelimiter(&at), unsafe skip(&at, skips.3),
      let c = unsafe axis(&at, tables), unsafe passLineEnd(&at), unsafe at - line <= LineBuffer.longestLine
    else { return nil }
    append(nanoseconds, SIMD3(a, b, c), &state, &samples)
    return unsafe at
  }

  /// A timestamp in nanoseconds.
  @inline(__always)
  func timestamp(_ mantissa: Int64, _ decimals: Int, _ tables: Tables) -> Int64? {
    guard decimals <= 9, unsafe tables.ticks[decimals] != 0 else { return nil }
    let (product, overflow) = unsafe mantissa.multipliedReportingOverflow(by: tables.ticks[decimals])
    return !overflow && DecimalNumber.isTimestamp(product) ? product : nil
  }

  /// The time of the next row if there are no timestamps.
  @inline(__always)
  func madeUpTime(_ state: Progress) -> Int64? {
    Int64(exactly: (Double(state.rowIndex) * madeUpPeriod).rounded())
  }

  /// Creates the next sample from a row's values, with the axes in the order of the columns.
  @inline(__always) @_lifetime(samples: copy samples)
  func append(
    _ nanoseconds: Int64, _ values: SIMD3<Float>, _ state: inout Progress,
    _ samples: inout OutputSpan<AccelerationSample>
  ) {
    state.rowIndex &+= 1
    if hasTime, nanoseconds == state.last, !keepsRepeats { return state.noteRepeat() }
    var acceleration = values
    if let order { acceleration = SIMD3(values[order.x], values[order.y], values[order.z]) }
    samples.append(AccelerationSample(nanoseconds: nanoseconds &+ state.offset, acceleration: acceleration))
    state.lastButOne = state.last
    state.last = nanoseconds
  }

  @inline(__always)
  func axis(_ at: inout UnsafePointer<UInt8>, _ tables: Tables) -> Float? {
    var (mantissa, decimals): (Int64, Int) = (0, 0)
    let isNegative = unsafe at.pointee == UInt8(ascii: "-")
    guard unsafe number(&at, &mantissa, &decimals) else { return nil }
    // A zero keeps its sign.
    if mantissa == 0, isNegative { return -0.0 }
    return unsafe Float(Double(mantissa) * tables.scales[decimals])
  }

  @inline(__always)
  private func passDelimiter(_ at: inout UnsafePointer<UInt8>) -> Bool {
    guard unsafe at.pointee == delimiter else { return false }
    unsafe at += 1
    while unsafe at.pointee == 0x20 { unsafe at += 1 }
    return true
  }

  /// Skips the rest of the line after the last axis.
  @inline(__always)
  func passLineEnd(_ at: inout UnsafePointer<UInt8>) -> Bool {
    var byte = unsafe at.pointee
    if byte == delimiter {
      while unsafe at.pointee != 0x0A { unsafe at += 1 }
      byte = 0x0A
    } else if byte == 0x0D {
      unsafe at += 1
      byte = unsafe at.pointee
    }
    unsafe at += 1
    return byte == 0x0A
  }

  @inline(__always)
  private func skip(_ at: inout UnsafePointer<UInt8>, _ count: Int) -> Bool {
    if count == 0 { return true }
    return unsafe skipColumns(&at, count)
  }

  private func skipColumns(_ at: inout UnsafePointer<UInt8>, _ count: Int) -> Bool {
    for _ in 0..<count {
      while unsafe at.pointee != delimiter {
        let byte = unsafe at.pointee
        // If the delimiter is a blank, it may also be a tab, which the slower parser handles.
        if byte == 0x0A || byte == UInt8(ascii: "\"") || (byte == 0x09 && delimiter == 0x20) { return false }
        unsafe at += 1
      }
      guard unsafe passDelimiter(&at) else { return false }
    }
    return true
  }
}
