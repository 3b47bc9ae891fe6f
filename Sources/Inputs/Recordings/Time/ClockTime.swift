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
    var text = "\(date.year.padded(4))-\(date.month.padded(2))-\(date.day.padded(2))T"
    text += "\((second / 3600).padded(2)):\((second / 60 % 60).padded(2)):\((second % 60).padded(2))"
    let digits = decimals ?? (nanoseconds == 0 ? 0 : 3)
    if digits > 0 { text += "." + (nanoseconds / unit).padded(digits) }
    guard let offset else { return text }
    let minutes = abs(offset) / 60
    return text + (offset < 0 ? "-" : "+") + "\((minutes / 60).padded(2)):\((minutes % 60).padded(2))"
  }

  /// The offset of a zone when its clocks show a time: of two moments at which they show it, that of the first one.
  /// - Parameters:
  ///   - wall: nanoseconds since 1970-01-01T00:00 in local time.
  ///   - isLater: whether it is the second of the two moments.
  ///   - zone: the zone's offset at a moment, in nanoseconds since 1970-01-01T00:00Z.
  package static func offset(showing wall: Int64, isLater: Bool = false, in zone: (Int64) -> Int) -> Int {
    let day: Int64 = 86_400 * 1_000_000_000
    let (before, after) = (zone(wall &- day), zone(wall &+ day))
    if before == after { return before }
    let showsLater = zone(wall &- Int64(after) * 1_000_000_000) == after
    if isLater, showsLater { return after }
    // Never shown, since clocks are set ahead over it: one that is not goes on.
    return zone(wall &- Int64(before) * 1_000_000_000) == before || !showsLater ? before : after
  }
}

extension RecordingSummary {
  /// A timestamp in local time, in nanoseconds since 1970-01-01T00:00, and the offset from UTC in seconds if known;
  /// `nil` if the recording states no date.
  /// - Parameters:
  ///   - timestamp: the timestamp of a sample, in nanoseconds.
  ///   - offset: the offset of the user's time zone at a moment; asked for moments in UTC only.
  public func wallTime(
    of timestamp: Int64, zone offset: ((_ nanoseconds: Int64, _ isWall: Bool) -> Int)? = nil
  ) -> (nanoseconds: Int64, offset: Int?)? {
    if let statedStart, !timestampsAreAbsolute {
      let wall = statedStart + timestamp - (recordingStart ?? timestamp)
      guard utcOffset == nil, let offset else { return (wall, utcOffset) }
      // Only the start is a local time: timestamps go on when the zone's clocks are set.
      let moment = wall - Int64(ClockTime.offset(showing: statedStart) { offset($0, false) }) * 1_000_000_000
      let ahead = offset(moment, false)
      return (moment + Int64(ahead) * 1_000_000_000, ahead)
    }
    guard timestampsAreAbsolute else { return nil }
    if isWallClock {
      let wall = shown(timestamp)
      // Times of the hour that occurs twice: the first one, up to the row at which they begin again.
      let turn = turn(before: timestamp)
      let isLater = turn.map { $0.length > 0 && timestamp - $0.start < $0.length } ?? false
      let ahead = offset.map { zone in ClockTime.offset(showing: wall, isLater: isLater) { zone($0, false) } }
      return (wall, utcOffset ?? ahead)
    }
    let ahead = utcOffset ?? offset.map { $0(timestamp, false) } ?? 0
    return (timestamp + Int64(ahead) * 1_000_000_000, ahead)
  }

  /// What the recording's clock showed at a timestamp: timestamps go on evenly when local times are set back or ahead.
  package func shown(_ timestamp: Int64) -> Int64 { timestamp &- (turn(before: timestamp)?.total ?? 0) }

  package func clockText(of timestamp: Int64, in zone: RecordingZone?) -> String? {
    guard let zone else { return clockText(of: timestamp) }
    return clockText(of: timestamp, zone: { nanoseconds, _ in zone.offset(nanoseconds) })
  }

  /// A timestamp in ISO 8601; see ``wallTime(of:zone:)``.
  public func clockText(
    of timestamp: Int64, zone offset: ((_ nanoseconds: Int64, _ isWall: Bool) -> Int)? = nil
  ) -> String? {
    wallTime(of: timestamp, zone: offset).map { ClockTime.iso8601(wallNanoseconds: $0.nanoseconds, offset: $0.offset) }
  }
}
