import Recordings

/// Brings the timestamps of a recording to UTC, and UTC to the participant's clock.
///
/// A recorder that notes the time on the wall is set once and runs on: when the clocks change, its time does not. So its
/// offset from UTC is found at its first sample and holds for the whole recording; what the participant's clock showed
/// follows from UTC.
struct StudyClock: Sendable {
  /// What makes a timestamp UTC, or, where nothing states the zone, the time on the wall; in nanoseconds.
  let shift: Int64
  /// Whether UTC is known.
  let isUTC: Bool
  private let zones: ZonePlan?
  private let fixedOffset: Int?

  /// - Returns: `nil` when the recording names no day.
  init?(_ summary: RecordingSummary, firstTimestamp: Int64, zones: ZonePlan?, recorderZone: ZonePlan?) {
    guard let wall = summary.wallTime(of: firstTimestamp) else { return nil }
    self.zones = zones
    let isOnWall = summary.isWallClock || !summary.timestampsAreAbsolute
    if let offset = wall.offset, !isOnWall || recorderZone == nil {
      (shift, isUTC) = (wall.nanoseconds - Int64(offset) * 1_000_000_000 - firstTimestamp, true)
      fixedOffset = offset
    } else if let zone = recorderZone ?? zones {
      let offset = zone.offset(whenShowing: Double(wall.nanoseconds) * 1e-9)
      (shift, isUTC) = (wall.nanoseconds - Int64(offset) * 1_000_000_000 - firstTimestamp, true)
      fixedOffset = offset
    } else {
      (shift, isUTC) = (wall.nanoseconds - firstTimestamp, false)
      fixedOffset = nil
    }
  }

  /// A recording that names no day begins at zero.
  init(undated firstTimestamp: Int64) {
    (shift, isUTC, zones, fixedOffset) = (0 - firstTimestamp, false, nil, nil)
  }

  /// Seconds that the participant's clock was ahead of UTC; `nil` where nothing states it.
  /// - Parameter time: seconds since 1970-01-01T00:00 of UTC or, where ``isUTC`` is false, of the wall's clock.
  func offset(at time: Int64) -> Int? {
    guard isUTC else { return nil }
    return zones?.offset(at: Double(time)) ?? fixedOffset
  }

  /// ISO 8601, in whole seconds.
  func text(of time: Int64) -> String {
    let offset = offset(at: time)
    return ClockTime.iso8601(
      wallNanoseconds: (time + Int64(offset ?? 0)) * 1_000_000_000, offset: offset, decimals: 0)
  }
}
