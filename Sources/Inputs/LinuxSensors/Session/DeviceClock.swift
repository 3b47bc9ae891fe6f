/// Converts a device's microseconds (MSC_TIMESTAMP) to the computer's clock.
///
/// The device time is that of the measurement; the event time is later by the delay of radio and driver. The
/// differences therefore come from the device. The event time only sets the offset, with a slow correction for drift. A
/// single wrong device time is ignored.
package struct DeviceClock: Sendable {
  /// The fraction of the deviation that is corrected with each frame is 1 / `correction`.
  static let correction: Int64 = 64
  /// A larger deviation means that the device was reset or slept. In nanoseconds.
  static let tolerance: Int64 = 500_000_000

  /// A step of the device's clock that is longer than the time that has passed by this much is suspect. In nanoseconds.
  static let suspicion: Int64 = 100_000_000

  /// The two clocks are compared over this much event time, in nanoseconds.
  static let comparison: Int64 = 1_000_000_000
  /// Usable rates of the device's clock, relative to the right one.
  static let usableRates = 0.9...1.1
  /// Rates outside this range are detected after a quarter of a comparison.
  static let plausibleRates = 0.6...1.6
  /// The number of resets without a successful comparison in between that is a fault.
  static let mostResets = 3

  private let followsEvents: Bool
  private var latestMicroseconds: UInt32?
  /// The device time since the first frame, unwrapped, in nanoseconds.
  private var deviceTime: Int64 = 0
  private var latestEvent: Int64 = 0
  private var offset: Int64 = 0
  private var latest = Int64.min
  /// Whether the latest device time contradicted the event time: the next frame shows if it was a single wrong one.
  private var isSuspect = false
  private var compared: (event: Int64, device: Int64)?
  private var resets = 0
  /// Consecutive comparisons in which the device's clock ran at another rate.
  private var faults = 0
  /// What is wrong with the device's clock; then only the event time is used. `nil` while it is usable.
  package private(set) var fault: ClockCheck.Fault?

  /// Creates a clock without an offset.
  /// - Parameter followsEvents: whether the events' clock is the computer's. If not (a replay at another speed), events
  ///   only set the initial offset.
  package init(followsEvents: Bool = true) { self.followsEvents = followsEvents }

  /// The time of a frame on the events' clock in nanoseconds, strictly increasing.
  /// - Parameters:
  ///   - microseconds: the device time, which overflows at 2³²; `nil` if the frame has none.
  ///   - eventTime: the frame's event time in nanoseconds.
  package mutating func time(deviceMicroseconds microseconds: UInt32?, eventTime: Int64) -> Int64 {
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
    if !followsEvents {
      latestMicroseconds = microseconds
      deviceTime &+= Int64(microseconds &- former) &* 1000
      return deviceTime &+ offset
    }
    let step = Int64(Int32(bitPattern: microseconds &- former)) &* 1000
    let elapsed = eventTime &- latestEvent
    // A clock that works neither goes back nor runs ahead. Events may be late, so a shorter step is possible.
    let contradicts = step < 0 || step &- elapsed > Self.suspicion
    if contradicts, !isSuspect {
      isSuspect = true
      return deviceTime &+ offset &+ elapsed
    }
    isSuspect = false
    // Confirmed: the clock was reset, or frames between were lost.
    if contradicts { compared = nil }
    (latestMicroseconds, latestEvent) = (microseconds, eventTime)
    deviceTime &+= step
    if (elapsed &- step).magnitude > Self.tolerance.magnitude {
      offset = eventTime &- deviceTime
      noteReset()
      return eventTime
    }
    compareRates(at: eventTime)
    let deviation = eventTime &- (deviceTime &+ offset)
    // Some imitations send a constant time: then only the event time is used.
    let tolerance = contradicts ? Self.suspicion : Self.tolerance
    if fault != nil || step == 0 || deviation.magnitude > tolerance.magnitude {
      offset = eventTime &- deviceTime
      return eventTime
    }
    offset &+= deviation / Self.correction
    return deviceTime &+ offset
  }

  /// Counts a reset or sleep. A clock that resets all the time is unusable.
  private mutating func noteReset() {
    compared = nil
    resets += 1
    if resets == Self.mostResets { fault = .ahead }
  }

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
