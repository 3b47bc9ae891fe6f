import Accelerometry

/// Gives scans of another computer times of this one's clock.
///
/// Timestamps come from the other kernel, so their differences are right, however late a network delivers them: they are
/// shifted by a constant. It is the shift with which the fastest scans of a minute arrive when they are measured; a correction
/// for drift is at most a thousandth. A clock that is set while it runs continues from the arrival.
///
/// Without timestamps scans are counted, and a ``BoardClock`` gives them times. The connection loses no scans, so a delay of
/// any length is only a delay.
///
/// A pure value: arrival times come with the samples.
struct RemoteClock: Sendable {
  /// A larger step backwards is a clock that was set; drivers that empty a chip's FIFO interpolate its timestamps.
  private static let smallestJump: Int64 = 100_000_000
  /// Scans further in the future than this show a clock that was set. In nanoseconds.
  private static let tolerance: Int64 = 1_000_000_000
  /// For how long arrivals are compared with timestamps, in nanoseconds.
  private static let window: Int64 = 60_000_000_000
  /// Rates at which a clock is usable, relative to the right one.
  private static let usableRates = 0.85...1.18
  /// The number of equal timestamps in a row that is a fault.
  private static let repetitions = 3
  /// The share of the time by which times are corrected: 1 / `correction`.
  private static let correction: Int64 = 1000

  private let period: Int64
  /// Whether the timestamps are not used: there are none, or the clock is wrong.
  private var isCounting: Bool
  private var counter: BoardClock
  private var counted: Int64 = 0

  private var offset: Int64?
  private var latestStamp: Int64?
  private var latestTime: Int64?
  private var equalStamps = 0
  /// The shift that is still to be made.
  private var due: Int64 = 0
  private var current: Window?
  /// The last window's rate, if it was unusable.
  private var badRate: Double?

  /// A span in which arrivals are compared with timestamps.
  private struct Window {
    var arrival: Int64
    var stamp: Int64
    var leastLateness: Int64
  }

  /// - Parameters:
  ///   - frequency: the sensor's nominal sampling frequency; `nil`: not known.
  ///   - hasTimestamps: whether scans contain them.
  ///   - longestDelay: after a longer silence the connection is given up.
  init(frequency: SamplingFrequency?, hasTimestamps: Bool, longestDelay: Duration) {
    period = Int64((frequency ?? SamplingFrequency(hertz: 50)!).periodInNanoseconds)
    isCounting = !hasTimestamps
    counter = BoardClock(
      hasTimes: false, isStated: frequency != nil,
      largestDelay: Double(longestDelay.wholeNanoseconds) / 1e9 + BoardClock.usualLargestDelay)
  }

  /// Replaces the timestamps.
  /// - Parameters:
  ///   - samples: with timestamps, 0 where there is none; on return with strictly increasing times.
  ///   - now: when the last of them arrived, in nanoseconds.
  /// - Returns: a newly found fault of the sensor's clock.
  mutating func take(_ samples: inout [AccelerationSample], arrivedAt now: Int64) -> ClockCheck.Fault? {
    guard let last = samples.last?.nanoseconds else { return nil }
    var fault: ClockCheck.Fault?
    // Some drivers (kxcjk-1013 with a timer) leave the time at 0.
    if !isCounting, last == 0 { isCounting = true }
    if !isCounting { fault = findFault(samples, now) }
    if fault != nil { isCounting = true }
    if isCounting { count(&samples, now) } else { shift(&samples, last, now) }
    return fault
  }

  private mutating func count(_ samples: inout [AccelerationSample], _ now: Int64) {
    for index in samples.indices {
      counted += 1
      samples[index].nanoseconds = counted &* period
    }
    counter.take(&samples, arrivedAt: now)
    for index in samples.indices { samples[index].nanoseconds = following(samples[index].nanoseconds) }
  }

  private mutating func shift(_ samples: inout [AccelerationSample], _ last: Int64, _ now: Int64) {
    var offset = offset ?? now &- last
    for index in samples.indices {
      let stamp = samples[index].nanoseconds
      if let latestStamp, let latestTime {
        let step = stamp.subtractingReportingOverflow(latestStamp)
        let isAhead = step.partialValue > Self.tolerance && stamp &+ offset &- now > Self.tolerance
        if step.overflow || step.partialValue < -Self.smallestJump || isAhead {
          // The rest of the batch was measured just before its arrival.
          let span = last.subtractingReportingOverflow(stamp)
          let isSane = !span.overflow && (0...Self.window).contains(span.partialValue)
          offset = max(latestTime &+ 1, isSane ? now &- span.partialValue : latestTime &+ period) &- stamp
          (current, due) = (nil, 0)
        } else {
          let most = max(0, step.partialValue) / Self.correction
          let share = min(max(due, -most), most)
          due -= share
          offset &+= share
        }
      }
      latestStamp = stamp
      samples[index].nanoseconds = following(stamp &+ offset)
    }
    self.offset = offset
  }

  /// A time, or one just after the latest.
  private mutating func following(_ time: Int64) -> Int64 {
    let following = latestTime.map { max(time, $0 &+ 1) } ?? time
    latestTime = following
    return following
  }

  /// Compares the timestamps with their arrivals.
  private mutating func findFault(_ samples: [AccelerationSample], _ now: Int64) -> ClockCheck.Fault? {
    var previous = latestStamp
    for sample in samples {
      equalStamps = sample.nanoseconds == previous ? equalStamps + 1 : 0
      if equalStamps >= Self.repetitions { return .standing }
      previous = sample.nanoseconds
    }
    guard let last = previous, let offset else { return nil }
    let lateness = now &- (last &+ offset)
    guard var window = current else {
      current = Window(arrival: now, stamp: last, leastLateness: lateness)
      return nil
    }
    window.leastLateness = min(window.leastLateness, lateness)
    current = window
    let passed = now &- window.arrival
    guard passed >= Self.window else { return nil }
    let rate = Double(last &- window.stamp) / Double(passed)
    (current, due) = (nil, window.leastLateness)
    guard !Self.usableRates.contains(rate), rate > 0 else {
      badRate = nil
      return nil
    }
    // What one window has too little, because the network was slow, the next one has too much.
    defer { badRate = rate }
    return badRate.map { ($0 < 1) == (rate < 1) } ?? false ? .rate(rate) : nil
  }
}
