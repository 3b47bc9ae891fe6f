/// Examines the rows of the first seconds: the format of the timestamps, and the size of the acceleration.
struct RowProbe {
  /// Reads the rows, in the recording's unit.
  private var decoder: RowDecoder
  var layout: ColumnLayout { decoder.layout }
  /// The acceleration in the recording's unit.
  private var accelerations: [SIMD3<Float>] = []
  private(set) var isDone = false
  /// The first timestamp with its zone, if it is a date.
  private(set) var firstMoment: DateTimeText.Moment?
  /// Whether the order of its day and month is ambiguous.
  private(set) var isAmbiguousDate = false
  private(set) var decimalMark = UInt8(ascii: ".")
  private var times = UnitSurvey.Times()
  /// The format of the timestamps, as far as the first row shows it.
  private var kind: TimestampFormat?
  /// The number of examined bytes.
  private var scanned = 0

  init(fields: RowFields, layout: ColumnLayout) {
    decoder = RowDecoder(fields: fields, layout: layout, timestampFormat: .none, unitInG: 1)
  }

  var isEmpty: Bool { accelerations.isEmpty }

  /// Whether the rows are in no order of their times: one in four goes back.
  var isShuffled: Bool {
    let times = times.values
    return times.count >= Self.rowsForSlow && zip(times, times.dropFirst()).count { $0 > $1 } * 4 >= times.count
  }

  /// Whether most rows that share a time with the one before are other samples, not copies of it.
  var sharedTimesDiffer: Bool {
    let times = times.values
    let shared = times.indices.dropFirst().filter { times[$0] == times[$0 - 1] }
    return shared.count { accelerations[$0] != accelerations[$0 - 1] } * 2 > shared.count
  }

  /// Uses the times of a whole file, in order.
  mutating func replaceTimes(_ times: UnitSurvey.Times) { self.times = times }

  /// Continues until there are enough rows; invalid rows before the first valid one are consumed.
  mutating func read(_ buffer: inout LineBuffer, summary: inout RecordingSummary, until isEnough: (Self) -> Bool) {
    while !isDone, let line = buffer.line(at: buffer.start + scanned) {
      let isTooLong = line.next - 1 - line.content.lowerBound > LineBuffer.longestLine
      let trouble = isTooLong ? .lineTooLong : buffer.withPlainText(line.content) { take($0, $1) }
      if isEmpty {
        if let trouble { summary.skip(trouble, line: buffer.line) }
        buffer.consume(upTo: line.next, lines: 1)
      } else {
        scanned = line.next - buffer.start
        isDone = trouble == nil && isEnough(self)
      }
    }
  }

  /// Takes a line's values and returns the reason if it is invalid. The first row shows what its time is.
  private mutating func take(_ bytes: Span<UInt8>, _ line: Range<Int>) -> SkipReason? {
    var trouble: SkipReason?
    for format in kind.map({ [$0] }) ?? [.iso8601, .timeOfDay, layout.timestampFormat ?? .none] {
      // With a unit that is not stated, the widest range.
      decoder.change(timestampFormat: format == .none ? .nanoseconds : format)
      switch decoder.decode(bytes, line) {
      case .nothing: return nil
      case .bad(let reason): trouble = reason
      case .values(let nanoseconds, let acceleration):
        if let time = layout.time {
          if format.isNumber || format == .none {
            takeNumber(bytes, time)
          } else {
            guard takeMoment(nanoseconds, bytes, time, format) else { return take(bytes, line) }
          }
          kind = format
        }
        accelerations.append(acceleration)
        if accelerations.count == 1 { findDecimalMark(bytes) }
        return nil
      }
    }
    return trouble
  }

  private mutating func takeNumber(_ bytes: Span<UInt8>, _ time: Int) {
    if case .number(let number) = decoder.fields.field(time, bytes) {
      times.numbers.append(number)
    } else {
      times.numbers += times.numbers.suffix(1)
    }
  }

  /// - Returns: `false` if the numbers behind a third colon, which were taken for milliseconds, are hundredths.
  private mutating func takeMoment(
    _ moment: Int64, _ bytes: Span<UInt8>, _ time: Int, _ format: TimestampFormat
  ) -> Bool {
    let ranges = decoder.fields.ranges
    if !layout.hasHundredths, DateTimeText.hasHundredths(bytes, ranges[layout.timeSpansTwo ? time + 1 : time]) {
      decoder.layout.hasHundredths = true
      times.nanoseconds = times.nanoseconds.map { $0 + ($0 % 1_000_000_000 + 1_000_000_000) % 1_000_000_000 * 9 }
      return false
    }
    if times.nanoseconds.isEmpty, format == .iso8601 {
      isAmbiguousDate = DateTimeText.isAmbiguous(bytes, ranges[time])
      firstMoment = RowDecoder.moment(decoder.fields, time, bytes)
    }
    times.nanoseconds.append(moment)
    return true
  }

  /// The mark of the first axis that has one.
  private mutating func findDecimalMark(_ bytes: Span<UInt8>) {
    guard decoder.fields.decimalComma else { return }
    for column in [layout.x, layout.y, layout.z] {
      for i in decoder.fields.ranges[column] where bytes[i] == UInt8(ascii: ",") {
        decimalMark = UInt8(ascii: ",")
        return
      }
    }
  }

  /// The value of rows that are no samples.
  var failedRead: Float? { accelerations.reduce(into: FailedReads()) { $0.add($1) }.value }

  /// The number of values of an unsigned integer, if the rows are signed values that were written so.
  var unsignedRange: Float? { accelerations.reduce(into: UnsignedNumbers()) { $0.add($1) }.range }

  /// Reads the upper half of a range as numbers below zero.
  mutating func takeSigned(_ range: Float) {
    for index in accelerations.indices {
      accelerations[index].replace(with: accelerations[index] - range, where: accelerations[index] .>= range / 2)
    }
  }

  /// Drops rows with a value on all axes.
  mutating func leaveOut(_ value: Float) {
    let kept = accelerations.indices.filter { accelerations[$0] != SIMD3(repeating: value) }
    if layout.time != nil { times.keep(kept) }
    accelerations = kept.map { accelerations[$0] }
  }

  /// Drops the timestamps, which are not times.
  mutating func leaveOutTimes() { decoder.layout.time = nil }

  var timeGuess: TimeGuess {
    guard layout.time != nil, let kind else { return TimeGuess(nanoseconds: [], format: .none) }
    switch kind {
    case .iso8601, .timeOfDay: return TimeGuess(nanoseconds: times.nanoseconds, format: kind)
    case .none: return TimeGuess(numbers: times.numbers)
    default: return TimeGuess(numbers: times.numbers, stated: kind)
    }
  }

  /// The time of each row, in nanoseconds; computed from a rate without timestamps.
  private func nanoseconds(_ guess: TimeGuess, rate: Double?) -> [Int64] {
    guard layout.time != nil else {
      let period = 1e9 / (rate ?? Double(Self.usualRows))
      return accelerations.indices.map { Int64((Double($0) * period).rounded()) }
    }
    return isCalendar ? times.nanoseconds : times.numbers.compactMap { guess.format.nanoseconds($0) }
  }

  private var isCalendar: Bool { kind == .iso8601 || kind == .timeOfDay }

  func evidence(_ guess: TimeGuess, rate: Double?) -> UnitEvidence {
    var evidence = UnitEvidence()
    for (time, acceleration) in zip(nanoseconds(guess, rate: rate), accelerations) {
      evidence.add(nanoseconds: time, acceleration: acceleration)
    }
    evidence.endStretch()
    return evidence
  }

  /// The assumed number of rows of a second if it is unknown.
  private static let usualRows = 50
  /// In nanoseconds.
  private static let second: Int64 = 1_000_000_000

  /// Whether about a second was seen, at most one and a half; or five, if the first does not determine the unit and `needsUnit`.
  func isEnough(statedRate: Double?, needsUnit: Bool, mostRows: Int, mostBytes: Int) -> Bool {
    let rows = accelerations.count
    if rows >= mostRows || scanned >= mostBytes { return true }
    guard layout.time != nil else {
      let second = min(statedRate ?? 0, 200)
      guard rows >= 3, Double(rows) >= second else { return false }
      if !needsUnit || Double(rows) >= second * 5 { return true }
      return rows.isMultiple(of: 16) && UnitGuess.isClear(evidence(timeGuess, rate: statedRate))
    }
    // Examining the timestamps costs more than a row, so it is not done for each.
    guard rows >= 3, rows < 8 || rows.isMultiple(of: rows < 256 ? 4 : 64) else { return false }
    let guess = timeGuess
    if rows < 8, guess.doubt != nil { return false }
    // A sensor this slow has to be seen for longer before it is refused.
    // In another unit, its times may be those at which the rows of one packet arrived.
    if rows < (kind == TimestampFormat.none ? Self.rowsOfPacket : Self.rowsForSlow), guess.isImplausible {
      return false
    }
    // Do not wait for samples that may come once a second as if there were a thousand.
    if rows >= Self.rowsForCounter, guess.isCounter { return true }
    // Packets are known as such when there are several.
    if guess.isUneven, rows < Self.rowsForCounter { return false }
    let times = nanoseconds(guess, rate: nil)
    guard let first = times.first, let last = times.last else { return false }
    guard last - first >= (rows < 8 ? 3 * Self.second / 2 : Self.second) else { return false }
    return !needsUnit || last - first >= 5 * Self.second || UnitGuess.isClear(evidence(guess, rate: nil))
  }

  static let rowsForSlow = 8
  private static let rowsOfPacket = 32
  /// In nanoseconds: samples of a sensor this close together are alike.
  static let closeTogether: Int64 = 16_700_000
  /// After this many rows that rise by exactly 1, the search for one that does not ends.
  private static let rowsForCounter = 128
  var rows: Int { accelerations.count }
}
