import Glibc

/// A moment as local clock time in the time zone of the machine.
struct ClockText {
  /// "14:03:05"
  let second: String
  /// "Sun 22 Nov"
  let day: String
  /// "2026-11-22 14:03:05 +01:00"
  let full: String
  /// Since midnight.
  let secondsOfDay: Double

  /// - Parameter nanoseconds: since 1970-01-01T00:00Z.
  init(nanoseconds: Int64) {
    var seconds = time_t((Double(nanoseconds) * 1e-9).rounded())
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    // English, since no command sets a locale.
    func text(_ format: String) -> String {
      var buffer = [CChar](repeating: 0, count: 64)
      let count = unsafe strftime(&buffer, buffer.count, format, &parts)
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    (second, day) = (text("%H:%M:%S"), text("%a %-d %b"))
    full = text("%Y-%m-%d %H:%M:%S ") + text("%z").prefix(3) + ":" + text("%z").suffix(2)
    secondsOfDay = unsafe Double(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec)
  }

  /// "14:03"
  var minute: String { String(second.prefix(5)) }
}
