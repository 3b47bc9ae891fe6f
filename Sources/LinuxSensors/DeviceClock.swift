/// Brings a device's own microseconds (MSC_TIMESTAMP) onto the computer's clock.
///
/// The device knows when it measured; the event's time says when the radio and the driver were done with it. So the
/// device's differences are taken and the event's time is only what they hang on: loosely, because no two clocks agree
/// for long.
public struct DeviceClock: Sendable {
  /// Which part of the two clocks' deviation is taken back with each frame.
  static let correction: Int64 = 64
  /// A deviation beyond this is none: the device was reset, or slept. In nanoseconds.
  static let tolerance: Int64 = 500_000_000

  private var latestMicroseconds: UInt32?
  /// The device's time since the first frame, unwrapped, in nanoseconds.
  private var deviceTime: Int64 = 0
  private var offset: Int64 = 0
  private var latest = Int64.min

  private let followsEvents: Bool

  /// Not anchored yet.
  /// - Parameter followsEvents: whether the events' clock is known to be the computer's. Where it is not (a replay at
  ///   another speed), the events say when the device's time began and nothing more.
  public init(followsEvents: Bool = true) { self.followsEvents = followsEvents }

  /// The time of a frame, strictly rising, in nanoseconds of the events' clock.
  /// - Parameters:
  ///   - microseconds: the device's, running over at 2³²; `nil` when the frame has none.
  ///   - eventTime: the frame's, in nanoseconds.
  public mutating func time(deviceMicroseconds microseconds: UInt32?, eventTime: Int64) -> Int64 {
    let time = anchored(microseconds, eventTime)
    latest = latest == .min ? time : max(time, latest &+ 1)
    return latest
  }

  private mutating func anchored(_ microseconds: UInt32?, _ eventTime: Int64) -> Int64 {
    guard let microseconds else { return eventTime }
    guard let former = latestMicroseconds else {
      latestMicroseconds = microseconds
      offset = eventTime
      return eventTime
    }
    let difference = microseconds &- former
    latestMicroseconds = microseconds
    deviceTime &+= Int64(difference) &* 1000
    if !followsEvents { return deviceTime &+ offset }
    let deviation = eventTime &- (deviceTime &+ offset)
    // Some imitations send a clock that stands still: then only the event's time is left.
    if difference == 0 || deviation.magnitude > Self.tolerance.magnitude {
      offset = eventTime &- deviceTime
      return eventTime
    }
    offset &+= deviation / Self.correction
    return deviceTime &+ offset
  }
}
