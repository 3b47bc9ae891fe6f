/// The formats of a recording's timestamps.
public enum TimestampFormat: String, Sendable, Hashable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds, minutes
  /// A date and a time of day, ISO 8601; without a zone it is taken as UTC.
  case iso8601
  /// Days since 1899-12-30, as in spreadsheets.
  case serialDays
  /// Hours, minutes and seconds, without a date.
  case timeOfDay
  /// None: computed from the sampling frequency.
  case none

  /// The power of ten that converts such a number to nanoseconds.
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
    case .seconds, .milliseconds, .microseconds, .nanoseconds, .minutes, .serialDays: true
    case .iso8601, .timeOfDay, .none: false
    }
  }

  /// The unit in words.
  var name: String {
    switch self {
    case .iso8601: "ISO 8601"
    case .timeOfDay: "time of day"
    case .serialDays: "days of a spreadsheet"
    default: rawValue
    }
  }

  /// The nanoseconds of a numeric timestamp; `nil` if it is out of range.
  func nanoseconds(_ number: DecimalNumber) -> Int64? {
    if self == .minutes { return Self.scaled(number, by: 6, exponent: 1) }
    guard self == .serialDays else { return number.scaled(byPowerOfTen: powerOfTen) }
    guard number.value < Self.lastSerialDay else { return nil }
    // A day has 864 hundred seconds. Eleven decimals of a day are a microsecond; more may be too many digits.
    return Self.scaled(number, by: 864, exponent: 2).map { $0 - Self.serialDayOf1970 * 86_400_000_000_000 }
  }

  /// Seconds of a unit with so many of them, a factor and a power of ten, in nanoseconds.
  private static func scaled(_ number: DecimalNumber, by factor: UInt64, exponent: Int) -> Int64? {
    var seconds = number
    while seconds.mantissa > UInt64.max / factor {
      seconds.mantissa = (seconds.mantissa + 5) / 10
      seconds.exponent += 1
    }
    seconds.mantissa *= factor
    seconds.exponent += exponent
    return seconds.scaled(byPowerOfTen: 9)
  }

  /// Whether a power of ten converts such a number to nanoseconds.
  var isPowerOfTen: Bool { isNumber && self != .serialDays && self != .minutes }

  /// 1970-01-01 in a spreadsheet, and the year 2064.
  private static let serialDayOf1970: Int64 = 25_569
  private static let lastSerialDay = 60_000.0
}
