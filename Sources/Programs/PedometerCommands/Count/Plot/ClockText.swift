import Glibc

/// A moment as local clock time in the time zone of the machine.
struct ClockText {
  private let date: (year: Int, month: Int, day: Int, weekday: Int)
  private let time: (hour: Int, minute: Int, second: Int)
  /// East of UTC, in minutes.
  private let offset: Int

  /// - Parameter nanoseconds: since 1970-01-01T00:00Z.
  init(nanoseconds: Int64) {
    var seconds = time_t((Double(nanoseconds) * 1e-9).rounded())
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    date = unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon), Int(parts.tm_mday), Int(parts.tm_wday))
    time = unsafe (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
    offset = unsafe parts.tm_gmtoff / 60
  }

  /// "14:03"
  var minute: String { "\(Self.two(time.hour)):\(Self.two(time.minute))" }
  /// "14:03:05"
  var second: String { minute + ":" + Self.two(time.second) }
  /// "Sun 22 Nov"
  var day: String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(days[date.weekday]) \(date.day) \(months[date.month])"
  }
  /// "2026-11-22 14:03:05 +01:00"
  var full: String {
    let zone = (offset < 0 ? "-" : "+") + "\(Self.two(abs(offset) / 60)):\(Self.two(abs(offset) % 60))"
    return "\(date.year)-\(Self.two(date.month + 1))-\(Self.two(date.day)) \(second) \(zone)"
  }
  /// Since midnight.
  var secondsOfDay: Double { Double(time.hour * 3600 + time.minute * 60 + time.second) }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
