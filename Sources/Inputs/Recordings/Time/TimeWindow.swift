/// The part of a recording between two moments: from the start on, and before the end.
public struct TimeWindow: Sendable, Hashable {
  /// A moment in a recording.
  public enum Moment: Sendable, Hashable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case unix(nanoseconds: Int64)
    /// Nanoseconds after the recording's first sample.
    case sinceFirstSample(nanoseconds: Int64)
  }

  /// The first included moment; `nil` for the beginning.
  public var start: Moment?
  /// The first excluded moment; `nil` for none.
  public var end: Moment?
  /// Seconds ahead of UTC of the zones of the moments, if they were given.
  var (startOffset, endOffset): (Int?, Int?) = (nil, nil)

  /// Creates a window.
  public init(start: Moment? = nil, end: Moment? = nil) { (self.start, self.end) = (start, end) }

  /// Creates a window from text: ISO 8601, on the recording's clock unless it has an offset, or seconds from its start.
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

  /// Invalid text for a moment.
  public struct ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// One sentence with the remedy.
    public var description: String {
      "'\(text)' is not a time; write 2026-05-06T10:11:12 (the recording's clock, or with an offset such as +02:00) or"
        + " seconds from the first sample, such as 90.5"
    }
  }

  private static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    return DateTimeText.parseMoment(bytes.span, bytes.indices)?.offset
  }

  var needsAbsoluteTime: Bool { [start, end].contains { if case .unix? = $0 { true } else { false } } }
}

extension TimeWindow.Moment {
  /// Parses ISO 8601 or seconds.
  public init(parsing text: String) throws(TimeWindow.ParsingError) {
    let bytes = Array(text.utf8)
    let span = bytes.span
    if case .number(let number) = DecimalNumber.parse(span, 0..<bytes.count, decimalComma: false),
      let nanoseconds = number.scaled(byPowerOfTen: 9)
    {
      self = .sinceFirstSample(nanoseconds: nanoseconds)
    } else if let moment = DateTimeText.parseDateAndTime(span, 0..<bytes.count) {
      self = .unix(nanoseconds: moment)
    } else if let day = DateTimeText.parseDate(span, 0..<bytes.count) {
      self = .unix(nanoseconds: day)
    } else {
      throw TimeWindow.ParsingError(text: text)
    }
  }
}
