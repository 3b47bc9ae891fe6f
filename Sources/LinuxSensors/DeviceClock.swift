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

  /// The two clocks are compared over this much of the events' time, in nanoseconds.
  static let comparison: Int64 = 1_000_000_000
  /// The device's rates that are usable, as shares of the right one.
  static let usableRates = 0.9...1.1
  /// The rates beyond which a quarter of a comparison is enough.
  static let plausibleRates = 0.6...1.6
  /// So many resets without a comparison between them that went well are a fault.
  static let mostResets = 3

  private let followsEvents: Bool
  private var latestMicroseconds: UInt32?
  /// The device's time since the first frame, unwrapped, in nanoseconds.
  private var deviceTime: Int64 = 0
  private var latestEvent: Int64 = 0
  private var offset: Int64 = 0
  private var latest = Int64.min
  /// Where the two clocks were compared last.
  private var compared: (event: Int64, device: Int64)?
  private var resets = 0
  /// Comparisons in a row in which the device's clock ran at another rate.
  private var faults = 0
  /// What is wrong with the device's clock, so that only the events' time is used; `nil` as long as it is usable.
  public private(set) var fault: ClockCheck.Fault?

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
    guard let microseconds, fault == nil else { return eventTime }
    guard let former = latestMicroseconds else {
      latestMicroseconds = microseconds
      (offset, latestEvent) = (eventTime, eventTime)
      return eventTime
    }
    let difference = microseconds &- former
    latestMicroseconds = microseconds
    let step = Int64(difference) &* 1000
    deviceTime &+= step
    if !followsEvents { return deviceTime &+ offset }
    defer { latestEvent = eventTime }
    if (eventTime &- latestEvent &- step).magnitude > Self.tolerance.magnitude {
      anchorAnew(at: eventTime)
      return eventTime
    }
    compareRates(at: eventTime)
    let deviation = eventTime &- (deviceTime &+ offset)
    // Some imitations send a clock that stands still: then only the event's time is left.
    if fault != nil || difference == 0 || deviation.magnitude > Self.tolerance.magnitude {
      offset = eventTime &- deviceTime
      return eventTime
    }
    offset &+= deviation / Self.correction
    return deviceTime &+ offset
  }

  /// The device was reset, or slept. A clock to which that happens all the time is of no use.
  private mutating func anchorAnew(at eventTime: Int64) {
    offset = eventTime &- deviceTime
    compared = nil
    resets += 1
    if resets == Self.mostResets { fault = .ahead }
  }

  /// Compares the rates of the two clocks.
  private mutating func compareRates(at eventTime: Int64) {
    guard let former = compared, eventTime > former.event else {
      compared = (eventTime, deviceTime)
      return
    }
    let elapsed = eventTime &- former.event
    guard elapsed >= Self.comparison / 4 else { return }
    let rate = Double(deviceTime &- former.device) / Double(elapsed)
    if !Self.plausibleRates.contains(rate) {
      fault = rate == 0 ? .standing : .rate(rate)
    } else if elapsed >= Self.comparison {
      faults = Self.usableRates.contains(rate) ? 0 : faults + 1
      if faults == 2 { fault = .rate(rate) }
      if faults == 0 { resets = 0 }
      compared = (eventTime, deviceTime)
    }
  }
}
