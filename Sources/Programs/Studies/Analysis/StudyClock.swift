import Recordings

/// Converts the timestamps of a recording to UTC, and UTC to the participant's clock.
///
/// A recorder that stores local time is set once and runs on when the clocks change. Its offset from UTC is therefore
/// determined at its first sample and kept for the whole recording. The participant's clock follows from UTC. Rows of text
/// that follow the change continue evenly: the reader takes the hour that they repeat or skip for none.
struct StudyClock: Sendable {
  /// The difference between UTC (or local time, if the zone is unknown) and the timestamps, in nanoseconds.
  let shift: Int64
  let isUTC: Bool
  /// Whether minutes have times of day.
  private(set) var isDated = true
  private let zones: ZonePlan?
  private let fixedOffset: Int?

  /// - Returns: `nil` if the recording has no dates.
  init?(_ summary: RecordingSummary, firstTimestamp: Int64, zones: ZonePlan?, recorderZone: ZonePlan?) {
    // A window may begin when the zone has another offset.
    let start = summary.recordingStart ?? firstTimestamp
    guard let wall = summary.wallTime(of: start) else { return nil }
    self.zones = zones
    let isOnWall = summary.isWallClock || !summary.timestampsAreAbsolute
    if let offset = wall.offset, !isOnWall || recorderZone == nil {
      (shift, isUTC) = (wall.nanoseconds - Int64(offset) * 1_000_000_000 - start, true)
      fixedOffset = offset
    } else if let zone = recorderZone ?? zones {
      let offset = zone.offset(whenShowing: Double(wall.nanoseconds) * 1e-9)
      (shift, isUTC) = (wall.nanoseconds - Int64(offset) * 1_000_000_000 - start, true)
      fixedOffset = offset
    } else {
      (shift, isUTC) = (wall.nanoseconds - start, false)
      fixedOffset = nil
    }
  }

  /// Creates the clock of a recording without dates, which begins at zero.
  init(undated firstTimestamp: Int64) {
    (shift, isUTC, zones, fixedOffset) = (0 - firstTimestamp, false, nil, nil)
    isDated = false
  }

  /// The offset of the participant's clock from UTC in seconds; `nil` if unknown.
  /// - Parameter time: seconds since 1970-01-01T00:00 in UTC or, if ``isUTC`` is false, in local time.
  func offset(at time: Int64) -> Int? {
    guard isUTC else { return nil }
    return zones?.offset(at: Double(time)) ?? fixedOffset
  }

  /// The minutes after midnight that the participant's clock shows in a minute.
  func minuteOfDay(_ minute: Int64) -> Int {
    let shown = minute + Int64(offset(at: minute * 60) ?? 0).floored(by: 60)
    return Int(shown - shown.floored(by: 1440) * 1440)
  }

  /// A time in ISO 8601, in whole seconds.
  func text(of time: Int64) -> String {
    let offset = offset(at: time)
    return ClockTime.iso8601(wallNanoseconds: (time + Int64(offset ?? 0)) * 1_000_000_000, offset: offset, decimals: 0)
  }
}
