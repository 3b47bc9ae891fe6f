/// Detects that the unit of timestamps changes within a text, for instance from seconds to milliseconds, because a
/// logger was updated or two recordings were joined.
///
/// The unit of Unix time follows from its size, so one row is enough. Other times have to continue from the last one,
/// read in the new unit, at the usual interval, and so does the row after it; the first row is held until then.
struct TimeUnitWatch {
  /// A row that may be the first in another unit.
  struct Held {
    var row: RowDecoder.Row
    var number: DecimalNumber
    var line: Int
    fileprivate var format: TimestampFormat
  }

  enum Finding: Equatable {
    case same
    /// The row is held until the next one.
    case maybe
    case changed(TimestampFormat)
  }

  private let isAbsolute: Bool
  private let period: Int64
  private var held: Held?
  private var changes = 0
  private var first: (sentence: String, line: Int)?

  private static let formats: [TimestampFormat] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
  /// 2001 to 2099, in nanoseconds.
  private static let unixTimes: Range<Int64> = 1_000_000_000_000_000_000..<4_100_000_000_000_000_000

  /// - Parameters:
  ///   - isAbsolute: whether the times are Unix time.
  ///   - period: the usual time between two samples, in nanoseconds; 0 if unknown.
  init(isAbsolute: Bool, period: Int64) {
    self.isAbsolute = isAbsolute
    self.period = period > 0 ? period : 20_000_000
  }

  var holdsRow: Bool { held != nil }
  var heldLine: Int? { held?.line }

  /// Removes and returns the held row.
  mutating func take() -> Held? {
    defer { held = nil }
    return held
  }

  /// Examines a row that does not obviously follow the last one.
  /// - Parameters:
  ///   - number: its time as written.
  ///   - format: the format of the times so far.
  ///   - last: the time of the last sample, in nanoseconds.
  mutating func look(
    at number: DecimalNumber, of row: RowDecoder.Row, line: Int, format: TimestampFormat, last: Int64
  ) -> Finding {
    let present = format.nanoseconds(number)
    if let held {
      guard let before = held.format.nanoseconds(held.number), let now = held.format.nanoseconds(number),
        isUsual(now &- before), !isUsual((present ?? .max) &- (format.nanoseconds(held.number) ?? 0))
      else { return .same }
      return .changed(held.format)
    }
    if let present, isNear(present, last) { return .same }
    // Units differ by a factor of at least a thousand.
    for other in Self.formats where other != format {
      guard let time = other.nanoseconds(number) else { continue }
      if isAbsolute {
        if let present, Self.unixTimes.contains(present) { return .same }
        guard Self.unixTimes.contains(time), abs(time &- last) <= SampleAssembler.longestPause else { continue }
        return .changed(other)
      }
      guard time > last, time &- last <= 20 &* period else { continue }
      held = Held(row: row, number: number, line: line, format: other)
      return .maybe
    }
    return .same
  }

  func isNear(_ time: Int64, _ last: Int64) -> Bool {
    let (step, overflow) = time.subtractingReportingOverflow(last)
    return !overflow && abs(step) <= SampleAssembler.longestStep && (isAbsolute || step >= 0)
  }

  private func isUsual(_ step: Int64) -> Bool { step >= period / 20 && step <= 20 &* period }

  /// The beginning of all these sentences.
  static let beginning = "the timestamps change from "

  /// Counts a change, and describes all of them in one sentence.
  mutating func doubt(from old: TimestampFormat, to new: TimestampFormat, line: Int) -> String {
    changes += 1
    let start = first?.sentence ?? "\(Self.beginning)\(old.name) to \(new.name) in line \(line)"
    first = (start, first?.line ?? line)
    return start + (changes > 1 ? ", and \(changes) times in all" : "") + "; each part was read in its own unit"
  }
}
