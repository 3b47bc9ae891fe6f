import Platform

/// Formats moments in ISO 8601.
public enum ClockTime {
  /// Formats a moment as `2026-05-06T10:11:12.123+02:00`: local date and time of day, milliseconds unless they are
  /// zero, and the offset if known.
  /// - Parameters:
  ///   - wallNanoseconds: since 1970-01-01T00:00 in local time with this `offset`.
  ///   - offset: seconds ahead of UTC; `nil` if unknown.
  ///   - decimals: digits of the second's fraction, 0 to 9; `nil` for three, or none if they are zero.
  public static func iso8601(wallNanoseconds: Int64, offset: Int?, decimals: Int? = nil) -> String {
    var unit: Int64 = 1
    for _ in 0..<(9 - (decimals ?? 3)) { unit *= 10 }
    let near = wallNanoseconds + unit / 2
    let whole = near / unit * unit - (near % unit < 0 ? unit : 0)
    let nanoseconds = ((whole % 1_000_000_000) + 1_000_000_000) % 1_000_000_000
    let seconds = Int((whole - nanoseconds) / 1_000_000_000)
    let days = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    let second = seconds - days * 86_400
    let date = CivilDays.date(days)
    var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
    text += "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    let digits = decimals ?? (nanoseconds == 0 ? 0 : 3)
    if digits > 0 { text += "." + padded(Int(nanoseconds / unit), digits) }
    guard let offset else { return text }
    let minutes = abs(offset) / 60
    return text + (offset < 0 ? "-" : "+") + "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
  }

  /// Seconds ahead of UTC of `+01:00`, `-0500`, `Z` or `UTC`; `nil` for any other text.
  public static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    return DateTimeText.parseOffset(bytes.span, bytes.indices)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension RecordingSummary {
  /// A timestamp in local time, in nanoseconds since 1970-01-01T00:00, and the offset from UTC in seconds if known;
  /// `nil` if the recording states no date.
  /// - Parameters:
  ///   - timestamp: the timestamp of a sample, in nanoseconds.
  ///   - offset: the offset of the user's time zone at a moment, in local time or UTC.
  public func wallTime(
    of timestamp: Int64, zone offset: ((_ nanoseconds: Int64, _ isWall: Bool) -> Int)? = nil
  ) -> (nanoseconds: Int64, offset: Int?)? {
    if let statedStart, !timestampsAreAbsolute {
      let wall = statedStart + timestamp - (recordingStart ?? timestamp)
      return (wall, utcOffset ?? offset.map { $0(wall, true) })
    }
    guard timestampsAreAbsolute else { return nil }
    if isWallClock, utcOffset == nil, clockRestarts > 0, let offset, let recordingStart {
      // After the clock was set, at the end of daylight saving time for instance, only the time since the start is known.
      let elapsed = timestamp - recordingStart
      let ahead = offset(recordingStart + elapsed - Int64(offset(recordingStart, true)) * 1_000_000_000, false)
      return (recordingStart + elapsed + Int64(ahead - offset(recordingStart, true)) * 1_000_000_000, ahead)
    }
    if isWallClock {
      return (timestamp, utcOffset ?? offset.map { $0(timestamp, true) })
    }
    let ahead = utcOffset ?? offset.map { $0(timestamp, false) } ?? 0
    return (timestamp + Int64(ahead) * 1_000_000_000, ahead)
  }

  /// A timestamp in ISO 8601; see ``wallTime(of:zone:)``.
  public func clockText(
    of timestamp: Int64, zone offset: ((_ nanoseconds: Int64, _ isWall: Bool) -> Int)? = nil
  ) -> String? {
    wallTime(of: timestamp, zone: offset).map { ClockTime.iso8601(wallNanoseconds: $0.nanoseconds, offset: $0.offset) }
  }
}
