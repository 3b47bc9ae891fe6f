/// What a recording's timestamps count.
public enum TimestampFormat: String, Sendable, Hashable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds
  /// A date and a time of day, ISO 8601; without a zone it is taken as UTC.
  case iso8601
  /// Hours, minutes and seconds, without a date.
  case timeOfDay
  /// There are none: made up from the sampling frequency.
  case none

  /// The power of ten that turns a number of these into nanoseconds.
  var powerOfTen: Int {
    switch self {
    case .seconds: 9
    case .milliseconds: 6
    case .microseconds: 3
    default: 0
    }
  }

  /// Whether the timestamp is one decimal number.
  var isNumber: Bool {
    switch self {
    case .seconds, .milliseconds, .microseconds, .nanoseconds: true
    case .iso8601, .timeOfDay, .none: false
    }
  }

  /// The unit in words.
  var name: String {
    switch self {
    case .iso8601: "ISO 8601"
    case .timeOfDay: "time of day"
    default: rawValue
    }
  }

  /// The nanoseconds of a numeric timestamp; nothing when it is out of any clock's range.
  func nanoseconds(_ number: DecimalNumber) -> Int64? { number.scaled(byPowerOfTen: powerOfTen) }
}
