import Accelerometry

/// Parses any line into a timestamp and an acceleration.
struct RowDecoder {
  enum Row: Equatable {
    case values(nanoseconds: Int64, acceleration: SIMD3<Float>)
    case bad(SkipReason)
    /// Blank, or a comment.
    case nothing

    var isSample: Bool { if case .values = self { true } else { false } }
  }

  var layout: ColumnLayout
  private(set) var timestampFormat: TimestampFormat
  /// The unit's powers of ten; see ``PowersOfTen/scales(unit:)``.
  private(set) var scales: [Double]
  /// The time between rows if there are no timestamps, in nanoseconds.
  let madeUpPeriod: Double
  /// The number of values of an unsigned integer whose upper half is below zero; see ``UnsignedNumbers``.
  var unsignedRange: Float?
  /// The number of rows so far; without timestamps, it is the clock.
  var rowIndex = 0
  private(set) var fields: RowFields
  /// The minute of the latest row whose time is a date or a time of day.
  private(set) var minute = MinuteCache()
  private var latest: Int64?

  init(
    fields: RowFields, layout: ColumnLayout, timestampFormat: TimestampFormat, unitInG: Double, madeUpPeriod: Double = 0
  ) {
    (self.fields, self.layout, self.timestampFormat) = (fields, layout, timestampFormat)
    self.madeUpPeriod = madeUpPeriod
    scales = PowersOfTen.scales(unit: unitInG)
  }

  mutating func change(unitInG: Double) { scales = PowersOfTen.scales(unit: unitInG) }

  /// Changes the columns for the following rows, and what separates them.
  mutating func change(columns other: ColumnLayout, in dialect: CSVDialect) {
    fields = RowFields(kind: .csv(dialect))
    (layout.time, layout.timeSpansTwo) = (other.time, other.timeSpansTwo)
    (layout.x, layout.y, layout.z, layout.gravity) = (other.x, other.y, other.z, other.gravity)
  }

  mutating func change(timestampFormat: TimestampFormat) { self.timestampFormat = timestampFormat }

  /// The number in the time column of the last decoded line, if it is one.
  func timeNumber(_ bytes: Span<UInt8>) -> DecimalNumber? {
    guard let time = layout.time, timestampFormat.isPowerOfTen, case .number(let number) = fields.field(time, bytes)
    else { return nil }
    return number
  }

  mutating func decode(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Row {
    if CSVDialect.isBlankLine(bytes, line) || CSVDialect.commentText(bytes, line) != nil { return .nothing }
    if case .json = fields.kind, Self.isNoSample(bytes, line) { return .nothing }
    let row = decodeValues(bytes, line)
    rowIndex += 1
    if case .bad = row, line.contains(where: { bytes[$0] == 0 }) { return .bad(.nulByte) }
    return row
  }

  private mutating func decodeValues(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Row {
    guard fields.read(bytes, line, limit: layout.width) else { return .bad(.notNumbers) }
    if layout.beginsWithCounter, fields.beginsWithWord(bytes) { return .bad(.notNumbers) }
    var acceleration = SIMD3<Float>()
    for axis in 0..<3 {
      switch fields.field(axis == 0 ? layout.x : axis == 1 ? layout.y : layout.z, bytes) {
      case .number(let number):
        if let range = unsignedRange, number.value * 2 >= Double(range) {
          acceleration[axis] = Float((number.value - Double(range)) * scales[PowersOfTen.zero])
        } else {
          acceleration[axis] = Float(PowersOfTen.scaled(number, by: scales))
        }
        if !layout.gravity.isEmpty {
          guard case .number(let gravity) = fields.field(layout.gravity[axis], bytes) else {
            return .bad(.missingValues)
          }
          acceleration[axis] += Float(PowersOfTen.scaled(gravity, by: scales))
        }
      case .notFinite: return .bad(.notFinite)
      case .empty: return .bad(fields.shortfall(layout, bytes))
      case .text: return .bad(.notNumbers)
      }
      guard acceleration[axis].isFinite else { return .bad(.notFinite) }
    }
    var time = timestamp(bytes)
    if layout.repeatsTimes, time == nil, let column = layout.time, fields.field(column, bytes) == .empty {
      time = latest
    }
    latest = time ?? latest
    return time.map { .values(nanoseconds: $0, acceleration: acceleration) } ?? .bad(timestampTrouble(bytes))
  }

  /// The row's time in nanoseconds.
  private mutating func timestamp(_ bytes: Span<UInt8>) -> Int64? {
    guard let time = layout.time else {
      return Int64(exactly: (Double(rowIndex) * madeUpPeriod).rounded()).flatMap {
        DecimalNumber.isTimestamp($0) ? $0 : nil
      }
    }
    if timestampFormat.isNumber {
      guard case .number(let number) = fields.field(time, bytes) else { return nil }
      return timestampFormat.nanoseconds(number)
    }
    let last = layout.timeSpansTwo ? time + 1 : time
    guard last < fields.ranges.count else { return nil }
    let range = fields.ranges[time].lowerBound..<fields.ranges[last].upperBound
    if let nanoseconds = minute.nanoseconds(bytes, range) { return nanoseconds }
    let nanoseconds = calendarTime(bytes)
    if let nanoseconds { minute.note(bytes, range, nanoseconds: nanoseconds) }
    return nanoseconds
  }

  /// A timestamp that is not a number.
  private func calendarTime(_ bytes: Span<UInt8>) -> Int64? {
    guard let column = layout.time, column < fields.ranges.count else { return nil }
    var range = fields.ranges[column]
    if layout.timeSpansTwo {
      guard column + 1 < fields.ranges.count else { return nil }
      let clock = fields.ranges[column + 1]
      if clock.lowerBound - range.upperBound > 1 {
        // Quotes or blanks stand between the two.
        let joined = range.map { bytes[$0] } + [0x20] + clock.map { bytes[$0] }
        return DateTimeText.parseDateAndTime(
          joined.span, joined.indices, isDayFirst: layout.isDayFirst, inHundredths: layout.hasHundredths)
      }
      range = range.lowerBound..<clock.upperBound
    }
    switch timestampFormat {
    case .iso8601:
      if let moment = DateTimeText.parseDateAndTime(
        bytes, range, isDayFirst: layout.isDayFirst, inHundredths: layout.hasHundredths)
      {
        return moment
      }
      // Soon after the row before, a date alone is its midnight, of which spreadsheets leave out the time of day.
      guard let latest, !layout.timeSpansTwo,
        let midnight = DateTimeText.parseDate(bytes, range, isDayFirst: layout.isDayFirst)
      else { return nil }
      return (0...Self.longestToMidnight).contains(midnight &- latest) ? midnight : nil
    case .timeOfDay: return DateTimeText.parseTimeOfDay(bytes, range, inHundredths: layout.hasHundredths)
    default: return nil
    }
  }

  /// Times may be of whole minutes.
  private static let longestToMidnight: Int64 = 61_000_000_000

  /// Notes the time of a row that was read elsewhere.
  mutating func note(latest: Int64) { self.latest = latest }

  /// The time and zone of a timestamp that is a date with a time of day.
  static func moment(_ fields: RowFields, _ column: Int, _ bytes: Span<UInt8>) -> DateTimeText.Moment? {
    guard column < fields.ranges.count else { return nil }
    // Date and time of day in two columns have no zone.
    return DateTimeText.parseMoment(bytes, fields.ranges[column])
      ?? DateTimeText.Moment(wallNanoseconds: 0, offset: nil)
  }

  private func timestampTrouble(_ bytes: Span<UInt8>) -> SkipReason {
    guard let time = layout.time else { return .badTimestamp }
    switch fields.field(time, bytes) {
    case .empty: return .missingValues
    case .notFinite: return .notFinite
    case .number, .text: return .badTimestamp
    }
  }

  /// A complete line of JSON that is not a sample: part of a printed array, or metadata.
  static func isNoSample(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    isBracket(bytes, line) || JSONFields.isMetadata(bytes, line)
  }

  /// The first and the last line of a printed array.
  static func isBracket(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    var brackets = 0
    for i in line {
      switch bytes[i] {
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","): brackets += 1
      case 0x20, 0x09, 0x0D: break
      default: return false
      }
    }
    return brackets > 0
  }
}
