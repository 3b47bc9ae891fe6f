import Accelerometry
import Platform

/// Converts a client's timestamps to the service's clock, and compares the client's clock with the arrival of its messages.
///
/// The message with the shortest delay determines the offset between the two clocks. This offset applies to all samples, so that
/// late messages still get the right times. It follows the drift of the client's clock slowly. A clock that runs at another rate
/// or jumps backwards is not used again: its samples are spaced evenly between the arrivals of their messages.
///
/// `LinuxSensors.ClockCheck` does the same for local sensors, whose samples arrive within milliseconds. Samples of a
/// phone without a network may take seconds, which would be a fault there.
///
/// A pure value. Times are in nanoseconds; those of the client are within ``times``, so that no sum overflows.
struct ClientClock: Sendable {
  /// The result for a message.
  struct Batch: Sendable {
    /// On the service's clock, strictly increasing.
    var samples: [AccelerationSample] = []
    /// The number of samples that are not later than a previous one.
    var repeated = 0
    /// A newly detected fault of the clock, as a sentence.
    var warning: String?
  }

  /// The times of a client's clock: more than a century before and after 1970, or after its start.
  static let times: ClosedRange<Int64> = -4_000_000_000_000_000_000...4_000_000_000_000_000_000
  /// After a longer time without messages the comparison restarts: a phone's clock may stop during sleep.
  static let longestPause: Int64 = 5_000_000_000
  /// The tolerated rate error of a clock, and the tolerated additional delay of messages.
  static let (tolerance, lateness) = (0.15, 5_000_000_000.0)
  /// A larger step backwards means that the clock was set.
  static let smallestJump: Int64 = 1_000_000_000
  /// The time constant for following a slow clock.
  static let following = 60e9
  /// The maximum spacing of samples if the clock is not used, as after a pause.
  static let widestSpacing: Int64 = 100_000_000

  /// The service's clock minus the client's.
  private var offset: Int64?
  /// The start of the comparison on both clocks.
  private var first: (sent: Int64, arrival: Int64)?
  private var latestArrival: Int64?
  private var latestStamp: Int64?
  private var latestTime: Int64?
  private var isReplaced = false

  init() {}

  /// A new clock of the same client; its samples follow those of the previous one.
  init(after former: ClientClock) { latestTime = former.latestTime }

  /// Converts the samples of a message.
  /// - Parameters:
  ///   - samples: on the client's clock.
  ///   - sent: the client's time of sending; `nil`: the latest sample's time.
  ///   - isNew: whether the message's number shows that it is new. Otherwise, samples not later than the latest one are
  ///     treated as repeated.
  ///   - now: the service's clock.
  mutating func take(_ samples: [AccelerationSample], sent: Int64?, isNew: Bool, at now: Int64) -> Batch {
    var batch = Batch()
    // A message is not sent before its latest sample, wherever that is in it.
    let newest = samples.lazy.map(\.nanoseconds).max() ?? .min
    let fault = samples.last.flatMap {
      judge(last: $0.nanoseconds, sent: max(sent ?? newest, newest), isNew: isNew, now)
    }
    if let fault, !isReplaced {
      isReplaced = true
      batch.warning = "the client's clock \(fault), so samples are timed by their arrival"
    }
    for sample in samples {
      // After a clock was set, earlier times cannot be compared.
      let isLater =
        latestStamp.map { latest in
          sample.nanoseconds > latest || (isReplaced && isNew && latest &- sample.nanoseconds > Self.smallestJump)
        } ?? true
      guard isLater else {
        batch.repeated += 1
        continue
      }
      latestStamp = sample.nanoseconds
      batch.samples.append(sample)
    }
    if isReplaced { space(&batch.samples, until: now) } else { shift(&batch.samples) }
    latestArrival = now
    latestTime = batch.samples.last?.nanoseconds ?? latestTime
    return batch
  }

  /// Compares the clocks.
  /// - Returns: the fault, if any.
  private mutating func judge(last: Int64, sent: Int64, isNew: Bool, _ now: Int64) -> String? {
    if isReplaced { return nil }
    if isNew, let latestStamp, latestStamp &- last > Self.smallestJump { return "jumps backwards" }
    let isPaused = latestArrival.map { now &- $0 > Self.longestPause } ?? true
    if isPaused { (first, offset) = (nil, nil) }
    let difference = now &- sent
    guard let first, let offset else {
      (self.first, self.offset) = ((sent, now), difference)
      return nil
    }
    let (passed, advanced) = (Double(now &- first.arrival), Double(sent) - Double(first.sent))
    if abs(advanced - passed) > Self.tolerance * passed + Self.lateness {
      return advanced > passed ? "runs too fast" : "runs too slowly"
    }
    if difference < offset {
      self.offset = difference
    } else {
      let share = Double(now &- (latestArrival ?? now)) / Self.following
      self.offset = offset &+ Int64(bounded: Double(difference &- offset) * min(1, share))
    }
    return nil
  }

  private func shift(_ samples: inout [AccelerationSample]) {
    var latest = latestTime
    for index in samples.indices {
      let time = samples[index].nanoseconds &+ (offset ?? 0)
      samples[index].nanoseconds = latest.map { max(time, $0 &+ 1) } ?? time
      latest = samples[index].nanoseconds
    }
  }

  private func space(_ samples: inout [AccelerationSample], until now: Int64) {
    guard !samples.isEmpty else { return }
    let count = Int64(samples.count)
    let start = max(latestTime ?? .min, latestArrival ?? now &- count * Self.widestSpacing / 5)
    let spacing = max(1, min(Self.widestSpacing, (now &- start) / count))
    let end = max(now, start &+ spacing * count)
    for index in samples.indices { samples[index].nanoseconds = end &- (count - 1 - Int64(index)) * spacing }
  }
}
