/// The formats of a recording's timestamps.
public enum TimestampFormat: String, Sendable, Hashable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds, minutes
  /// A date and a time of day, ISO 8601; without a zone it is taken as UTC.
  case iso8601
  /// Days since 1899-12-30, as in spreadsheets.
  case serialDays
  /// Days since the year 0, as MATLAB's `datenum` counts them.
  case datenum
  /// Julian days of astronomy, since 4713 BC.
  case julianDays
  /// Tenths of a microsecond since the year 1, the ticks of .NET.
  case ticks
  /// Tenths of a microsecond since 1601, as Windows counts them.
  case fileTime
  /// Microseconds since 1601, as browsers store them.
  case microsecondsSince1601
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

  var isNumber: Bool {
    switch self {
    case .iso8601, .timeOfDay, .none: false
    default: true
    }
  }

  var name: String {
    switch self {
    case .iso8601: "ISO 8601"
    case .timeOfDay: "time of day"
    case .serialDays: "days of a spreadsheet"
    case .datenum: "MATLAB's days"
    case .julianDays: "Julian days"
    case .ticks: ".NET's ticks"
    case .fileTime: "Windows file times"
    case .microsecondsSince1601: "microseconds since 1601"
    default: rawValue
    }
  }

  /// The nanoseconds of a numeric timestamp; `nil` if it is out of range.
  func nanoseconds(_ number: DecimalNumber) -> Int64? {
    if self == .minutes { return Self.scaled(number, by: 6, exponent: 1) }
    guard let origin else { return number.scaled(byPowerOfTen: powerOfTen) }
    if self == .ticks || self == .fileTime || self == .microsecondsSince1601 {
      guard let count = number.scaled(byPowerOfTen: 0) else { return nil }
      let (time, overflow) = (count - origin).multipliedReportingOverflow(
        by: self == .microsecondsSince1601 ? 1000 : 100)
      return !overflow && DecimalNumber.isTimestamp(time) ? time : nil
    }
    // Whole days are taken off first, since the remaining ones have to fit. Julian days begin at noon.
    let isHalf = self == .julianDays
    guard !number.isNegative, (1 - PowersOfTen.whole.count...0).contains(number.exponent) else { return nil }
    let unit = PowersOfTen.whole[-number.exponent]
    let (whole, overflow) = UInt64(origin).multipliedReportingOverflow(by: unit)
    let half = isHalf ? unit / 2 : 0
    guard !overflow, number.mantissa >= whole else { return nil }
    guard !isHalf || unit > 1 else { return nil }
    let since1970 = number.mantissa - whole
    guard since1970 >= half, Double(since1970 - half) / Double(unit) < Self.mostDays else { return nil }
    // A day has 864 hundred seconds. Eleven decimals of a day are a microsecond; more may be too many digits.
    return Self.scaled(
      DecimalNumber(isNegative: false, mantissa: since1970 - half, exponent: number.exponent), by: 864, exponent: 2)
  }

  /// 1970-01-01, counted as the format counts; of Julian days the noon before.
  private var origin: Int64? {
    switch self {
    case .serialDays: 25_569
    case .datenum: 719_529
    case .julianDays: 2_440_587
    case .ticks: 621_355_968_000_000_000
    case .fileTime: 116_444_736_000_000_000
    case .microsecondsSince1601: 11_644_473_600_000_000
    default: nil
    }
  }

  /// Numbers of the years 2000 to 2100 (those of a spreadsheet to 2064), which differ in size from all other times, with
  /// their unit in seconds.
  static let calendars: [(format: TimestampFormat, numbers: Range<Double>, unit: Double)] = [
    (.serialDays, 36_526..<60_000, 86_400), (.datenum, 730_486..<767_011, 86_400),
    (.julianDays, 2_451_544.5..<2_488_070, 86_400), (.ticks, 6.308e17..<6.624e17, 1e-7),
    (.fileTime, 1.2591e17..<1.5748e17, 1e-7), (.microsecondsSince1601, 1.2591e16..<1.5748e16, 1e-6),
  ]

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
  var isPowerOfTen: Bool { isNumber && origin == nil && self != .minutes }

  /// Whether such times are local times, or may be.
  var isLocalTime: Bool { self == .serialDays || self == .datenum || self == .ticks }

  /// To the year 2116.
  private static let mostDays = 53_375.0
}
