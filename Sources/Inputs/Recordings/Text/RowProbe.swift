/// Examines the rows of the first seconds: the format of the timestamps, and the size of the acceleration.
struct RowProbe {
  private(set) var layout: ColumnLayout
  /// The acceleration in the recording's unit.
  private var accelerations: [SIMD3<Float>] = []
  private(set) var isDone = false
  /// The first timestamp with its zone, if it is a date.
  private(set) var firstMoment: DateTimeText.Moment?
  /// Whether the order of its day and month is ambiguous.
  private(set) var isAmbiguousDate = false
  private(set) var decimalMark = UInt8(ascii: ".")
  private var fields: RowFields
  private var numbers: [DecimalNumber] = []
  private var nanoseconds: [Int64] = []
  /// The format of the timestamps, as far as the first row shows it.
  private var kind: TimestampFormat?
  /// The number of examined bytes.
  private var scanned = 0

  init(fields: RowFields, layout: ColumnLayout) { (self.fields, self.layout) = (fields, layout) }

  var isEmpty: Bool { accelerations.isEmpty }

  /// Whether the rows are in no order of their times: one in four goes back.
  var isShuffled: Bool {
    let times = isCalendar ? nanoseconds.map(Double.init) : numbers.map(\.value)
    return times.count >= Self.rowsForSlow && zip(times, times.dropFirst()).count { $0 > $1 } * 4 >= times.count
  }

  /// Whether most rows that share a time with the one before are other samples, not copies of it.
  var sharedTimesDiffer: Bool {
    let times = isCalendar ? nanoseconds.map(Double.init) : numbers.map(\.value)
    let shared = times.indices.dropFirst().filter { times[$0] == times[$0 - 1] }
    return shared.count { accelerations[$0] != accelerations[$0 - 1] } * 2 > shared.count
  }

  /// Uses the times of a whole file, in order.
  mutating func replaceTimes(_ times: UnitSurvey.Times) { (numbers, nanoseconds) = (times.numbers, times.nanoseconds) }

  /// Continues until there are enough rows; invalid rows before the first valid one are consumed.
  mutating func read(_ buffer: inout LineBuffer, summary: inout RecordingSummary, until isEnough: (Self) -> Bool) {
    while !isDone, let line = buffer.line(at: buffer.start + scanned) {
      let isTooLong = line.next - 1 - line.content.lowerBound > LineBuffer.longestLine
      var trouble: SkipReason? = .lineTooLong
      if !isTooLong {
        trouble =
          if let plain = buffer.plainText(line.content) { take(plain.span, plain.indices) } else {
            take(buffer.bytes.span, line.content)
          }
      }
      if isEmpty {
        if let trouble { summary.skip(trouble, line: buffer.line) }
        buffer.consume(upTo: line.next, lines: 1)
      } else {
        scanned = line.next - buffer.start
        isDone = trouble == nil && isEnough(self)
      }
    }
  }

  /// Takes a line's values and returns the reason if it is invalid.
  private mutating func take(_ bytes: Span<UInt8>, _ line: Range<Int>) -> SkipReason? {
    if CSVDialect.isBlankLine(bytes, line) || CSVDialect.commentText(bytes, line) != nil { return nil }
    if case .json = fields.kind, RowDecoder.isNoSample(bytes, line) { return nil }
    guard fields.read(bytes, line, limit: layout.width) else { return .notNumbers }
    if layout.beginsWithCounter, fields.beginsWithWord(bytes) { return .notNumbers }
    var acceleration = SIMD3<Float>()
    for (axis, column) in [layout.x, layout.y, layout.z].enumerated() {
      switch fields.field(column, bytes) {
      case .number(let number): acceleration[axis] = Float(number.value)
      case .notFinite: return .notFinite
      case .empty: return fields.shortfall(layout, bytes)
      case .text: return .notNumbers
      }
    }
    if let trouble = takeTime(bytes) { return trouble }
    accelerations.append(acceleration)
    if accelerations.count == 1 { findDecimalMark(bytes) }
    return nil
  }

  private mutating func takeTime(_ bytes: Span<UInt8>) -> SkipReason? {
    guard let time = layout.time else { return nil }
    if layout.repeatsTimes, fields.field(time, bytes) == .empty, !numbers.isEmpty || !nanoseconds.isEmpty {
      numbers += numbers.suffix(1)
      nanoseconds += nanoseconds.suffix(1)
      return nil
    }
    if kind == nil { kind = calendarKind(bytes) ?? layout.timestampFormat ?? TimestampFormat.none }
    if kind == .iso8601 || kind == .timeOfDay {
      guard let moment = RowDecoder.calendarTime(fields, layout, bytes, as: kind ?? .iso8601, after: nanoseconds.last)
      else { return .badTimestamp }
      if !layout.hasHundredths, DateTimeText.hasHundredths(bytes, fields.ranges[layout.timeSpansTwo ? time + 1 : time])
      {
        noteHundredths()
        return takeTime(bytes)
      }
      if nanoseconds.isEmpty, kind == .iso8601 {
        isAmbiguousDate = DateTimeText.isAmbiguous(bytes, fields.ranges[time])
      }
      if nanoseconds.isEmpty, kind == .iso8601 { firstMoment = RowDecoder.moment(fields, time, bytes) }
      nanoseconds.append(moment)
      return nil
    }
    switch fields.field(time, bytes) {
    case .number(let number):
      // With a unit that is not stated, the widest range.
      guard number.scaled(byPowerOfTen: kind?.powerOfTen ?? 0) != nil else { return .badTimestamp }
      numbers.append(number)
      return nil
    case .empty: return failed(.missingValues)
    case .notFinite: return failed(.notFinite)
    case .text: return failed(.badTimestamp)
    }
  }

  /// A first row without a readable time does not decide anything.
  private mutating func failed(_ reason: SkipReason) -> SkipReason {
    if isEmpty { kind = nil }
    return reason
  }

  private func calendarKind(_ bytes: Span<UInt8>) -> TimestampFormat? {
    [TimestampFormat.iso8601, .timeOfDay].first { RowDecoder.calendarTime(fields, layout, bytes, as: $0) != nil }
  }

  /// The numbers behind the third colon, which were taken for milliseconds, are hundredths.
  private mutating func noteHundredths() {
    layout.hasHundredths = true
    nanoseconds = nanoseconds.map { $0 + ($0 % 1_000_000_000 + 1_000_000_000) % 1_000_000_000 * 9 }
  }

  /// The mark of the first axis that has one.
  private mutating func findDecimalMark(_ bytes: Span<UInt8>) {
    guard fields.decimalComma else { return }
    for column in [layout.x, layout.y, layout.z] {
      for i in fields.ranges[column] where bytes[i] == UInt8(ascii: ",") {
        decimalMark = UInt8(ascii: ",")
        return
      }
    }
  }

  /// The value of rows that are no samples.
  var failedRead: Float? {
    var reads = FailedReads()
    for acceleration in accelerations { reads.add(acceleration) }
    return reads.value
  }

  /// The number of values of an unsigned integer, if the rows are signed values that were written so.
  var unsignedRange: Float? {
    var numbers = UnsignedNumbers()
    for acceleration in accelerations { numbers.add(acceleration) }
    return numbers.range
  }

  /// Reads the upper half of a range as numbers below zero.
  mutating func takeSigned(_ range: Float) {
    for index in accelerations.indices {
      accelerations[index].replace(with: accelerations[index] - range, where: accelerations[index] .>= range / 2)
    }
  }

  /// Drops rows with a value on all axes.
  mutating func leaveOut(_ value: Float) {
    let kept = accelerations.indices.filter { accelerations[$0] != SIMD3(repeating: value) }
    if layout.time != nil {
      if isCalendar { nanoseconds = kept.map { nanoseconds[$0] } } else { numbers = kept.map { numbers[$0] } }
    }
    accelerations = kept.map { accelerations[$0] }
  }

  /// Drops the timestamps, which are not times.
  mutating func leaveOutTimes() { layout.time = nil }

  var timeGuess: TimeGuess {
    guard layout.time != nil, let kind else { return TimeGuess(nanoseconds: [], format: .none) }
    switch kind {
    case .iso8601, .timeOfDay: return TimeGuess(nanoseconds: nanoseconds, format: kind)
    case .none: return TimeGuess(numbers: numbers)
    default: return TimeGuess(numbers: numbers, stated: kind)
    }
  }

  /// The time of each row, in nanoseconds; computed from a rate without timestamps.
  private func times(_ guess: TimeGuess, rate: Double?) -> [Int64] {
    guard layout.time != nil else {
      let period = 1e9 / (rate ?? Double(Self.usualRows))
      return accelerations.indices.map { Int64((Double($0) * period).rounded()) }
    }
    return isCalendar ? nanoseconds : numbers.compactMap { guess.format.nanoseconds($0) }
  }

  private var isCalendar: Bool { kind == .iso8601 || kind == .timeOfDay }

  func evidence(_ guess: TimeGuess, rate: Double?) -> UnitEvidence {
    var evidence = UnitEvidence()
    for (time, acceleration) in zip(times(guess, rate: rate), accelerations) {
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
    if rows < Self.rowsForSlow, guess.isImplausible { return false }
    // Do not wait for samples that may come once a second as if there were a thousand.
    if rows >= Self.rowsForCounter, guess.isCounter { return true }
    let times = times(guess, rate: nil)
    guard let first = times.first, let last = times.last else { return false }
    guard last - first >= (rows < 8 ? 3 * Self.second / 2 : Self.second) else { return false }
    return !needsUnit || last - first >= 5 * Self.second || UnitGuess.isClear(evidence(guess, rate: nil))
  }

  static let rowsForSlow = 8
  /// In nanoseconds: samples of a sensor this close together are alike.
  static let closeTogether: Int64 = 16_700_000
  /// After this many rows that rise by exactly 1, the search for one that does not ends.
  private static let rowsForCounter = 128
  var rows: Int { accelerations.count }
}
