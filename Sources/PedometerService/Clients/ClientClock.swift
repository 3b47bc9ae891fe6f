import Accelerometry

/// Brings the timestamps of a client onto the service's clock, and judges the client's clock by the arrival of its messages.
///
/// The message that was on the way for the shortest time shows by how much the two clocks differ; that difference is used for
/// all samples, so messages may be late and still say when their samples were taken. Clocks drift, so the difference is
/// followed, slowly. A clock that runs at another rate, or jumps backwards, is not used again: its samples are then spaced
/// evenly between the arrivals of their messages.
///
/// `LinuxSensors.ClockCheck` does the same for sensors of this machine. There samples arrive within milliseconds; here they
/// take seconds when a phone has no network, which would be a fault there.
///
/// A pure value. Times are nanoseconds.
struct ClientClock: Sendable {
  /// What became of a message's samples.
  struct Batch: Sendable {
    /// On the service's clock, strictly rising.
    var samples: [AccelerationSample] = []
    /// Samples not later than one that came before.
    var repeated = 0
    /// What was found wrong with the clock just now, in a sentence.
    var warning: String?
  }

  /// After a longer time without messages the two clocks are compared anew: a phone's may have stood still in sleep.
  static let longestPause: Int64 = 5_000_000_000
  /// The share of the time that has passed by which a clock may be off, and what messages may be late in addition.
  static let (tolerance, lateness) = (0.15, 5_000_000_000.0)
  /// A longer step backwards is a clock that was set.
  static let smallestJump: Int64 = 1_000_000_000
  /// The time constant with which a clock that falls behind is followed.
  static let following = 60e9
  /// Samples of a clock that is not used are at most so far apart, as after a pause.
  static let widestSpacing: Int64 = 100_000_000

  /// What the service's clock is ahead of the client's.
  private var offset: Int64?
  /// When the comparison began, on both clocks.
  private var first: (sent: Int64, arrival: Int64)?
  private var latestArrival: Int64?
  private var latestStamp: Int64?
  private var latestTime: Int64?
  private var isReplaced = false

  init() {}

  /// A new clock of the same client: what follows is later than what its former clock has stamped.
  init(after former: ClientClock) { latestTime = former.latestTime }

  /// Takes a message's samples.
  /// - Parameters:
  ///   - samples: on the client's clock.
  ///   - sent: the client's clock when it sent the message; `nil`: the latest sample's time.
  ///   - isNew: whether the message is known to be a new one, by its number. Without, samples not later than the latest are
  ///     taken for repeated ones.
  ///   - now: the service's clock.
  mutating func take(_ samples: [AccelerationSample], sent: Int64?, isNew: Bool, at now: Int64) -> Batch {
    var batch = Batch()
    let fault = samples.last.flatMap { judge(last: $0.nanoseconds, sent: sent, isNew: isNew, now) }
    if let fault, !isReplaced {
      isReplaced = true
      batch.warning = "the client's clock \(fault), so samples are timed by their arrival"
    }
    for sample in samples {
      // After a clock was set, the times before it say nothing.
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
  /// - Returns: what is wrong, if anything.
  private mutating func judge(last: Int64, sent: Int64?, isNew: Bool, _ now: Int64) -> String? {
    if isReplaced { return nil }
    if isNew, let latestStamp, latestStamp &- last > Self.smallestJump { return "jumps backwards" }
    let isPaused = latestArrival.map { now &- $0 > Self.longestPause } ?? true
    if isPaused { (first, offset) = (nil, nil) }
    let sent = sent ?? last
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
      self.offset = offset &+ Int64(Double(difference &- offset) * min(1, share))
    }
    return nil
  }

  private func shift(_ samples: inout [AccelerationSample]) {
    var latest = latestTime
    for index in samples.indices {
      let time = samples[index].nanoseconds &+ (offset ?? 0)
      samples[index].nanoseconds = latest.map { max(time, $0 + 1) } ?? time
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
