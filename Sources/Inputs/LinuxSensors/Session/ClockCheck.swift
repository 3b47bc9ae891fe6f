import Accelerometry
import Platform

/// Compares a sensor's timestamps with the arrival of its samples, and replaces the timestamps of a faulty clock.
///
/// Most timestamps come from the kernel and agree with their arrival immediately. Some sensors have their own clock
/// (HID usage 0x0529), which starts anywhere and may jump, stop or run at the wrong rate. Until such a clock has agreed
/// with the arrival for ``trial``, its samples are spaced evenly and end at their arrival; then its differences are
/// used, corrected for drift. A clock that has failed is not used again.
///
/// A pure value: times come with the samples. Costs two comparisons per sample.
package struct ClockCheck: Sendable {
  /// How long a clock that disagrees with the arrival must keep the right rate, in nanoseconds.
  package static let trial: Int64 = 1_000_000_000
  /// Usable rates, relative to the right one.
  static let usableRates = 0.85...1.18
  /// How far a timestamp may be ahead of its arrival, and how much later than expected a batch may be, in nanoseconds.
  static let tolerance: Int64 = 500_000_000
  /// Smaller steps backwards are tolerated: drivers that empty a chip's FIFO interpolate its timestamps.
  static let smallestJump: Int64 = 100_000_000
  /// After a longer time without samples, the clock may have stopped during sleep. That is not a fault.
  static let longestPause: Int64 = 5_000_000_000
  /// The number of consecutive equal timestamps or late batches that is a fault.
  static let repetitions = 3
  /// The time constant for following the drift of a clock, in nanoseconds.
  static let following = 1.6e9

  package enum Fault: Sendable, Hashable, CustomStringConvertible {
    case standing
    case backwards
    case ahead
    case behind
    /// It runs at this multiple of the right rate.
    case rate(Double)

    package var description: String {
      let fault =
        switch self {
        case .standing: "stands still"
        case .backwards: "jumps backwards"
        case .ahead: "jumps ahead"
        case .behind: "falls behind"
        case .rate(let rate): "runs \(Self.comparison(rate))"
        }
      return "the sensor's clock \(fault), so samples are timed by their arrival"
    }

    private static func comparison(_ rate: Double) -> String {
      if rate < 1 / Self.mostTimes { return "more than \(Int(mostTimes)) times too slowly" }
      if rate > Self.mostTimes { return "more than \(Int(mostTimes)) times too fast" }
      let times = ((rate < 1 ? 1 / rate : rate) * 10).rounded() / 10
      let whole = times == times.rounded() ? "\(Int(times))" : "\(times)"
      return "\(whole) times too \(rate < 1 ? "slowly" : "fast")"
    }

    private static let mostTimes = 100.0
  }

  private enum Trust {
    /// No sample yet.
    case unknown
    /// The clock has been compared with the arrival since this read.
    case tried(since: Int64, stamp: Int64, reads: Int)
    /// The offset converts it to the time since boot. A sensor's own clock drifts.
    case used(offset: Int64, drifts: Bool)
    case replaced
  }

  private var trust = Trust.unknown
  private var synthesiser: TimestampSynthesiser
  /// The maximum age of the newest sample of a batch, in nanoseconds.
  private let oldest: Int64
  private var latestStamp: Int64?
  private var latestRead: Int64?
  private var latestTime: Int64?
  private var equalStamps = 0
  private var lateBatches = 0

  /// What is wrong with the clock; `nil` while it is usable.
  package private(set) var fault: Fault?

  /// - Parameters:
  ///   - frequency: the sensor's nominal sampling frequency; it spaces the samples of a replaced clock.
  ///   - batchDuration: the duration of a batch in seconds.
  package init(frequency: SamplingFrequency, batchDuration: Double) {
    synthesiser = TimestampSynthesiser(frequency: frequency)
    oldest = Self.tolerance + Int64(bounded: min(2 * (frequency.periodInNanoseconds + batchDuration * 1e9), 1e12))
  }

  /// Checks the timestamps of one read, and replaces them if necessary.
  /// - Parameters:
  ///   - samples: with times of the sensor's clock; on return, with the time since boot.
  ///   - now: the time since boot at which they were read, in nanoseconds.
  ///   - mayBeOld: whether later samples may have been lost because the kernel's buffer was full.
  /// - Returns: a newly detected fault, otherwise `nil`.
  package mutating func take(_ samples: inout [AccelerationSample], readAt now: Int64, mayBeOld: Bool = false) -> Fault?
  {
    guard let last = samples.last?.nanoseconds else { return nil }
    let found = judge(samples, last: last, readAt: now, mayBeOld: mayBeOld)
    if let found { (fault, trust) = (found, .replaced) }
    (latestStamp, latestRead) = (last, now)
    stamp(&samples, readAt: now)
    return found
  }

  private mutating func judge(
    _ samples: [AccelerationSample], last: Int64, readAt now: Int64, mayBeOld: Bool
  ) -> Fault? {
    if case .replaced = trust { return nil }
    if let fault = disorder(of: samples) { return fault }
    let isPaused = mayBeOld || latestRead.map { now &- $0 > Self.longestPause } ?? false
    switch trust {
    case .unknown:
      let age = now &- last
      let isPresent = age > -Self.tolerance && age < oldest
      trust = isPresent ? .used(offset: 0, drifts: false) : .tried(since: now, stamp: last, reads: 1)
      return nil
    case .tried(let since, let stamp, let reads):
      if isPaused {
        trust = .tried(since: now, stamp: last, reads: 1)
      } else if now &- since < Self.trial || reads < Self.repetitions {
        trust = .tried(since: since, stamp: stamp, reads: reads + 1)
      } else {
        let rate = Double(last &- stamp) / Double(now &- since)
        guard Self.usableRates.contains(rate) else { return .rate(rate) }
        trust = .used(offset: now &- last, drifts: true)
      }
      return nil
    case .used(let offset, let drifts):
      return compare(samples, age: now &- (last &+ offset), offset: offset, drifts: drifts, now, isPaused)
    case .replaced: return nil
    }
  }

  /// Detects timestamps that do not increase.
  private mutating func disorder(of samples: [AccelerationSample]) -> Fault? {
    var previous = latestStamp
    for sample in samples {
      let time = sample.nanoseconds
      if let previous {
        let (step, overflow) = time.subtractingReportingOverflow(previous)
        if overflow { return time < previous ? .backwards : .ahead }
        if step < -Self.smallestJump { return .backwards }
        equalStamps = step == 0 ? equalStamps + 1 : 0
        if equalStamps >= Self.repetitions { return .standing }
      }
      previous = time
    }
    return nil
  }

  /// Compares a clock in use with the arrival.
  private mutating func compare(
    _ samples: [AccelerationSample], age: Int64, offset: Int64, drifts: Bool, _ now: Int64, _ isPaused: Bool
  ) -> Fault? {
    if isPaused {
      if drifts { trust = .used(offset: offset &+ age, drifts: true) }
      lateBatches = 0
      return nil
    }
    if samples.contains(where: { $0.nanoseconds &+ offset &- now > Self.tolerance }) { return .ahead }
    // Reads that are far apart show immediately that the clock is slow.
    let (passed, advanced) = (
      now &- (latestRead ?? now), samples[samples.count - 1].nanoseconds &- (latestStamp ?? now)
    )
    let isSlow = passed >= Self.trial && advanced < passed / 2
    lateBatches = isSlow || age > oldest ? lateBatches + 1 : 0
    if lateBatches >= (isSlow ? Self.repetitions - 1 : Self.repetitions) { return .behind }
    let share = Double(passed) / (Double(passed) + Self.following)
    if drifts { trust = .used(offset: offset &+ Int64(bounded: Double(age) * share), drifts: true) }
    return nil
  }

  /// Sets the final times. They are strictly increasing unless they are the kernel's.
  private mutating func stamp(_ samples: inout [AccelerationSample], readAt now: Int64) {
    switch trust {
    case .used(_, drifts: false): break
    case .used(let offset, drifts: true):
      for index in samples.indices {
        let time = samples[index].nanoseconds &+ offset
        samples[index].nanoseconds = latestTime.map { max(time, $0 &+ 1) } ?? time
        latestTime = samples[index].nanoseconds
      }
      return
    case .unknown, .tried, .replaced: synthesiser.stamp(&samples, readAt: now, after: latestTime)
    }
    latestTime = samples.last?.nanoseconds
  }
}
