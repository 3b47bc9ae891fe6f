import Accelerometry
import CDigitMask

/// Reads plain rows at memory speed: decimal numbers with a point, no quotes, no exponents, the time before the axes.
///
/// Eight bytes are looked at at once (SIMD within a register): a digit is a byte that is at most nine after `^ '0'`,
/// the first one that is not ends the run, the decimal mark is squeezed out by joining the bytes before it with those
/// loaded one further on, and three multiplications make a number out of eight digits. Everything odd stops the loop at
/// the beginning of its line; ``RowDecoder`` then reads that line, with the same result for lines that both can read.
struct PlainRows {
  /// Where the loop stands.
  struct Progress {
    /// The beginning of the next line.
    var place: Int
    /// The timestamp of the last row, in the recording's nanoseconds.
    var last: Int64
    /// The timestamp of the row before that.
    var lastButOne: Int64 = 0
    /// See ``SampleAssembler/plainEnd``.
    let plainEnd: Int64
    /// What makes a timestamp of the recording one of the timeline.
    let offset: Int64
    /// The number of the row, where there are no timestamps.
    var rowIndex: Int
    /// Rows that repeat the timestamp of the row before, and give no sample; and ``rowIndex`` of the first.
    var repeats = 0
    var firstRepeat = 0

    /// Whether this is the time of the next sample, without a pause, or the last one again.
    @inline(__always)
    func accepts(_ nanoseconds: Int64) -> Bool {
      UInt64(bitPattern: nanoseconds &- last) <= UInt64(SampleAssembler.longestStep) && nanoseconds <= plainEnd
    }

    /// Takes note of a row that was counted and gives no sample.
    mutating func noteRepeat() {
      if repeats == 0 { firstRepeat = rowIndex - 1 }
      repeats += 1
    }
  }

  /// The tables of ``ticks`` and ``scales``, at hand.
  @unsafe
  struct Tables {
    let ticks: UnsafePointer<Int64>
    let scales: UnsafePointer<Double>
  }

  let delimiter: UInt8
  /// The byte before the decimals.
  let mark: UInt8
  let hasTime: Bool
  /// Whether nothing stands between the four columns, or the three.
  private let isDense: Bool
  /// Rows are tried as dense ones while this lasts: a row that is not costs four, one that is gives one back. A few long
  /// numbers among many short ones are usual, and where every fifth row is long, trying does not pay.
  private static let densePatience = 32
  /// Columns to pass over before the time and before each axis.
  private let skips: (Int, Int, Int, Int)
  /// Which of the axes, in the order of the columns, is x, y and z; nothing when they stand in that order.
  private let order: SIMD3<Int>?
  /// Nanoseconds of one unit of a timestamp with so many decimals; 0 where it would not be whole.
  private let ticks: [Int64]
  /// 10^-n of the acceleration's unit in g.
  private let scales: [Double]
  private let madeUpPeriod: Double
  /// What ``read_dense_rows`` needs; nothing where rows are not of its kind, or the processor is not.
  private let registers: (ticks: [Int64], scales: [Double])?

  /// Nothing when rows of this layout are never plain.
  /// - Parameter usesRegisters: whether rows may be read in registers, where the processor can.
  init?(_ decoder: RowDecoder, decimalMark: UInt8, usesRegisters: Bool = true) {
    guard case .csv(let dialect) = decoder.fields.kind else { return nil }
    let layout = decoder.layout
    let axes = [layout.x, layout.y, layout.z]
    let columns = axes.sorted()
    guard columns[0] < columns[1], columns[1] < columns[2], layout.time ?? -1 < columns[0] else { return nil }
    guard layout.time == nil || decoder.timestampFormat.isNumber, decoder.timestampFormat != .serialDays else {
      return nil
    }
    delimiter = dialect.delimiter
    mark = decimalMark
    hasTime = layout.time != nil
    let first = layout.time.map { $0 + 1 } ?? 0
    skips = (layout.time ?? 0, columns[0] - first, columns[1] - columns[0] - 1, columns[2] - columns[1] - 1)
    isDense = skips == (0, 0, 0, 0)
    let order = SIMD3(axes.map { axis in columns.firstIndex(of: axis) ?? 0 })
    self.order = order == SIMD3(0, 1, 2) ? nil : order
    let power = decoder.timestampFormat.powerOfTen
    ticks = (0...9).map { $0 <= power ? Int64(PowersOfTen.whole[power - $0]) : 0 }
    scales = (0...19).map { decoder.scales[PowersOfTen.zero - $0] }
    madeUpPeriod = decoder.madeUpPeriod
    let fitsRegisters = usesRegisters && isDense && hasTime && self.order == nil && Self.hasRegisters
    registers = fitsRegisters ? (ticks: [ticks[0]] + ticks, scales: [scales[0]] + scales) : nil
  }

  /// Whether ``read_dense_rows`` works here, and writes samples as they lie in memory.
  private static let hasRegisters =
    can_read_dense_rows() && MemoryLayout<AccelerationSample>.stride == MemoryLayout<dense_sample>.stride
    && MemoryLayout<AccelerationSample>.offset(of: \.lanes) == 0
    && MemoryLayout<AccelerationSample>.offset(of: \.nanoseconds) == MemoryLayout<SIMD4<Float>>.size

  /// Reads rows as long as they are plain, the next samples in time, and there is room.
  ///
  /// Behind `linesEnd` there have to be ``LineBuffer/slack`` bytes that may be loaded.
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
        unsafe line = rows(line, end, &state, Tables(ticks: ticks, scales: scales), &samples)
      }
    }
    state.place = unsafe line - base
    progress = state
  }

  /// Reads rows and gives the beginning of the first that it cannot read.
  @inline(__always)
  private func rows(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ state: inout Progress, _ tables: Tables,
    _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8> {
    var line = unsafe first
    var patience = isDense ? Self.densePatience : 0
    while unsafe line < end, !samples.isFull {
      if patience > 0, let registers {
        let next = unsafe denseRows(line, end, &state, registers, &samples)
        patience = unsafe next > line ? Self.densePatience : patience &- 4
        unsafe line = next
        if unsafe line >= end || samples.isFull { break }
      } else if patience > 0 {
        if let next = unsafe denseRow(line, &state, tables, &samples) {
          unsafe line = next
          patience = min(Self.densePatience, patience &+ 1)
          continue
        }
        patience -= 4
      }
      guard let next = unsafe row(line, &state, tables, &samples) else { break }
      unsafe line = next
    }
    return unsafe line
  }

  /// Reads one row and gives the beginning of the next; nothing when it is not plain.
  private func row(
    _ line: UnsafePointer<UInt8>, _ state: inout Progress, _ tables: Tables,
    _ samples: inout OutputSpan<AccelerationSample>
  ) -> UnsafePointer<UInt8>? {
    var at = unsafe line
    var (mantissa, decimals): (Int64, Int) = (0, 0)
    while unsafe at.pointee == 0x20 { unsafe at += 1 }
    if hasTime {
      guard unsafe skip(&at, skips.0), unsafe number(&at, &mantissa, &decimals), unsafe passDelimiter(&at) else {
        return nil
      }
    }
    guard let nanoseconds = unsafe hasTime ? timestamp(mantissa, decimals, tables) : madeUpTime(state),
      state.accepts(nanoseconds)
    else { return nil }
    guard unsafe skip(&at, skips.1), let a = unsafe axis(&at, tables), unsafe passDelimiter(&at),
      unsafe skip(&at, skips.2), let b = unsafe axis(&at, tables), unsafe passDelimiter(&at),
      unsafe skip(&at, skips.3), let c = unsafe axis(&at, tables), unsafe passLineEnd(&at),
      unsafe at - line <= LineBuffer.longestLine
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

  /// The next row's time where there are no timestamps.
  @inline(__always)
  func madeUpTime(_ state: Progress) -> Int64? {
    Int64(exactly: (Double(state.rowIndex) * madeUpPeriod).rounded())
  }

  /// Makes the next sample of a row's values, the axes in the order of the columns.
  @inline(__always)
  func append(
    _ nanoseconds: Int64, _ values: SIMD3<Float>, _ state: inout Progress,
    _ samples: inout OutputSpan<AccelerationSample>
  ) {
    state.rowIndex &+= 1
    if hasTime, nanoseconds == state.last { return state.noteRepeat() }
    var acceleration = values
    if let order { acceleration = SIMD3(values[order.x], values[order.y], values[order.z]) }
    samples.append(AccelerationSample(nanoseconds: nanoseconds &+ state.offset, acceleration: acceleration))
    state.lastButOne = state.last
    state.last = nanoseconds
  }

  @inline(__always)
  private func axis(_ at: inout UnsafePointer<UInt8>, _ tables: Tables) -> Float? {
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

  /// Passes what stands behind the last axis.
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

  /// Passes over columns that nobody reads.
  @inline(__always)
  private func skip(_ at: inout UnsafePointer<UInt8>, _ count: Int) -> Bool {
    if count == 0 { return true }
    return unsafe skipColumns(&at, count)
  }

  private func skipColumns(_ at: inout UnsafePointer<UInt8>, _ count: Int) -> Bool {
    for _ in 0..<count {
      while unsafe at.pointee != delimiter {
        let byte = unsafe at.pointee
        // A blank delimiter may also be a tab, which is for the slower reader.
        if byte == 0x0A || byte == UInt8(ascii: "\"") || (byte == 0x09 && delimiter == 0x20) { return false }
        unsafe at += 1
      }
      guard unsafe passDelimiter(&at) else { return false }
    }
    return true
  }
}
