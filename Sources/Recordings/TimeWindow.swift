/// The part of a recording between two moments: from the start on, and before the end.
public struct TimeWindow: Sendable, Hashable {
  /// A moment in a recording.
  public enum Moment: Sendable, Hashable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case unix(nanoseconds: Int64)
    /// Nanoseconds after the recording's first sample.
    case sinceFirstSample(nanoseconds: Int64)
  }

  /// The first moment that counts; nothing: the beginning.
  public var start: Moment?
  /// The first moment that no longer counts; nothing: never.
  public var end: Moment?
  /// Seconds ahead of UTC of the zones that were typed behind the moments, where there were any.
  var (startOffset, endOffset): (Int?, Int?) = (nil, nil)

  /// Makes a window.
  public init(start: Moment? = nil, end: Moment? = nil) {
    self.start = start
    self.end = end
  }

  /// Makes a window from what somebody typed: ISO 8601 (without a zone it means UTC, as it does in a recording) or
  /// seconds from the first sample.
  public init(start: String?, end: String?) throws(ParsingError) {
    self.init()
    if let start {
      self.start = try Moment(parsing: start)
      startOffset = Self.offset(start)
    }
    if let end {
      self.end = try Moment(parsing: end)
      endOffset = Self.offset(end)
    }
  }

  /// A text that is no moment.
  public struct ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was typed.
    public let text: String

    /// One sentence that says what to write instead.
    public var description: String {
      "'\(text)' is not a time; write 2026-05-06T10:11:12 (UTC, or with an offset such as +02:00) or seconds from the"
        + " first sample, such as 90.5"
    }
  }

  private static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    return CivilTime.parseMoment(bytes.span, bytes.indices)?.offset
  }

  /// Whether one of its ends is a moment of the calendar.
  var needsAbsoluteTime: Bool {
    [start, end].contains { if case .unix? = $0 { true } else { false } }
  }
}

extension TimeWindow.Moment {
  /// Reads ISO 8601 or seconds.
  public init(parsing text: String) throws(TimeWindow.ParsingError) {
    let bytes = Array(text.utf8)
    let span = bytes.span
    if case .number(let number) = DecimalNumber.parse(span, 0..<bytes.count, decimalComma: false),
      let nanoseconds = number.scaled(byPowerOfTen: 9)
    {
      self = .sinceFirstSample(nanoseconds: nanoseconds)
    } else if let moment = CivilTime.parseDateAndTime(span, 0..<bytes.count) {
      self = .unix(nanoseconds: moment)
    } else if let day = CivilTime.parseDate(span, 0..<bytes.count) {
      self = .unix(nanoseconds: day)
    } else {
      throw TimeWindow.ParsingError(text: text)
    }
  }
}
