import Accelerometry

/// Judges a sensor's timestamps by the time at which its samples arrive, and replaces those of a clock that cannot be used.
///
/// Most timestamps are the kernel's and agree with their arrival at once. Some sensors have a clock of their own (HID usage
/// 0x0529), which counts from any beginning and may jump, stand still or run at another rate. Until such a clock has kept
/// pace with the arrival for ``trial``, its samples are spaced evenly and end at their arrival; then its differences are
/// used, and its drift is followed. A clock that has failed is not used again.
///
/// A pure value: time comes in with the samples. A batch costs two comparisons a sample.
public struct ClockCheck: Sendable {
  /// For how long a clock that disagrees with the arrival has to keep pace, in nanoseconds.
  public static let trial: Int64 = 1_000_000_000
  /// The rates, as shares of the right one, at which it does.
  static let usableRates = 0.85...1.18
  /// A timestamp may be this far ahead of its arrival, in nanoseconds, and a batch this much older than it should be.
  static let tolerance: Int64 = 500_000_000
  /// A smaller step backwards is no jump: drivers that empty a chip's queue interpolate their timestamps.
  static let smallestJump: Int64 = 100_000_000
  /// After a longer time without samples a clock may have stood still in sleep, which is no fault.
  static let longestPause: Int64 = 5_000_000_000
  /// So many equal timestamps, or late batches, in a row are a fault.
  static let repetitions = 3
  /// The time constant with which the drift of a clock is followed, in nanoseconds.
  static let following = 1.6e9

  /// What is wrong with a clock.
  public enum Fault: Sendable, Hashable, CustomStringConvertible {
    /// Its time does not rise.
    case standing
    /// It jumps to an earlier time.
    case backwards
    /// It jumps to a time that is not yet.
    case ahead
    /// It falls behind.
    case behind
    /// It runs at so many times the right rate.
    case rate(Double)

    /// A sentence for people.
    public var description: String {
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
    /// The clock is compared with the arrival since some read.
    case tried(since: Int64, stamp: Int64, reads: Int)
    /// Its readings with this added are the time since boot. A clock of its own drifts.
    case used(offset: Int64, drifts: Bool)
    /// It has failed.
    case replaced
  }

  private var trust = Trust.unknown
  private var synthesiser: TimestampSynthesiser
  /// How old the newest sample of a batch may be, in nanoseconds.
  private let oldest: Int64
  private var latestStamp: Int64?
  private var latestRead: Int64?
  private var latestTime: Int64?
  private var equalStamps = 0
  private var lateBatches = 0

  /// What is wrong with the clock; `nil` as long as it is usable.
  public private(set) var fault: Fault?

  /// - Parameters:
  ///   - frequency: the rate that the sensor states; it spaces the samples of a clock that is replaced.
  ///   - batchDuration: seconds of samples that come at a time.
  public init(frequency: SamplingFrequency, batchDuration: Double) {
    synthesiser = TimestampSynthesiser(frequency: frequency)
    oldest = Self.tolerance + Int64(min(2 * (frequency.periodInNanoseconds + batchDuration * 1e9), 1e12))
  }

  /// Checks the timestamps of what one read gave, and replaces them where that is needed.
  /// - Parameters:
  ///   - samples: stamped by the sensor's clock; afterwards by the time since boot.
  ///   - now: the time since boot at which they were read, in nanoseconds.
  ///   - mayBeOld: whether samples may have been lost after these: the kernel's buffer was full.
  /// - Returns: what was found wrong with the clock just now; `nil` if nothing, or nothing new.
  public mutating func take(_ samples: inout [AccelerationSample], readAt now: Int64, mayBeOld: Bool = false) -> Fault?
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

  /// Looks for timestamps that do not rise.
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

  /// Compares a clock that is used with the arrival.
  private mutating func compare(
    _ samples: [AccelerationSample], age: Int64, offset: Int64, drifts: Bool, _ now: Int64, _ isPaused: Bool
  ) -> Fault? {
    if isPaused {
      if drifts { trust = .used(offset: offset &+ age, drifts: true) }
      lateBatches = 0
      return nil
    }
    if samples.contains(where: { $0.nanoseconds &+ offset &- now > Self.tolerance }) { return .ahead }
    // Reads that are far apart show at once that the clock has not kept up.
    let (passed, advanced) = (
      now &- (latestRead ?? now), samples[samples.count - 1].nanoseconds &- (latestStamp ?? now)
    )
    let isSlow = passed >= Self.trial && advanced < passed / 2
    lateBatches = isSlow || age > oldest ? lateBatches + 1 : 0
    if lateBatches >= (isSlow ? Self.repetitions - 1 : Self.repetitions) { return .behind }
    let share = Double(passed) / (Double(passed) + Self.following)
    if drifts { trust = .used(offset: offset &+ Int64(Double(age) * share), drifts: true) }
    return nil
  }

  /// Writes the times that are to be used; strictly rising where they are not the kernel's.
  private mutating func stamp(_ samples: inout [AccelerationSample], readAt now: Int64) {
    switch trust {
    case .used(_, drifts: false): break
    case .used(let offset, drifts: true):
      for index in samples.indices {
        let time = samples[index].nanoseconds &+ offset
        samples[index].nanoseconds = latestTime.map { max(time, $0 + 1) } ?? time
        latestTime = samples[index].nanoseconds
      }
      return
    case .unknown, .tried, .replaced: synthesiser.stamp(&samples, readAt: now, after: latestTime)
    }
    latestTime = samples.last?.nanoseconds
  }
}
