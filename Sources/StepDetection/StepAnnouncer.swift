import Accelerometry
import Pedometry

/// What is told of a step, from the moment its peak is seen.
public enum StepNews: Sendable, Hashable {
  /// A foot may have struck. Confirmed or retracted later, under the same time.
  case announced(Duration)
  /// A step is certain, and which announcement it was, if it was one.
  case confirmed(Step, announced: Duration?)
  /// It was no step after all.
  case retracted(Duration)
}

/// Tells of steps before they are certain.
///
/// The detector needs up to ``StepDetector/longestDelay`` to tell walking from other movements. Whoever cannot wait gets
/// each peak that is high enough for a step at once, and is told later what became of it. What is confirmed does not
/// depend on this: it only watches.
public struct StepAnnouncer: Sendable {
  /// A step confirmed within this time of an announcement is the one announced.
  public static let tolerance = Duration.milliseconds(100)

  private struct Open: Sendable {
    /// The strike as it was announced, in nanoseconds of the sensor clock.
    let announced: Int64
    /// The strike as the finder has it now: a higher peak close by replaces a lower one.
    var present: Int64

    func separation(from time: Int64) -> UInt64 {
      min((announced &- time).magnitude, (present &- time).magnitude)
    }
  }

  /// By rising time; never more than a few seconds' worth.
  private var open: [Open] = []
  private var latest = Int64.min
  /// What happened since it was last taken.
  private var news: [StepNews] = []

  /// Nothing is announced yet.
  public init() {}

  /// What happened since the last call, in order.
  public mutating func takeNews() -> [StepNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }

  /// A peak that is high enough was seen, or replaced the one before.
  mutating func see(strike: Int64) {
    guard strike > latest else { return }
    let spacing = Int64(Tuning.peakSpacing * 1e9)
    latest = strike
    if let last = open.last, strike - last.present < spacing {
      open[open.count - 1].present = strike
      return
    }
    open.append(Open(announced: strike, present: strike))
    news.append(.announced(.nanoseconds(strike)))
  }

  /// Steps became certain.
  mutating func confirm(_ steps: ArraySlice<Step>) {
    let tolerance = Self.tolerance.wholeNanoseconds.magnitude
    for step in steps {
      let time = step.timestamp.wholeNanoseconds
      let nearest = open.indices.min { open[$0].separation(from: time) < open[$1].separation(from: time) }
      if let nearest, open[nearest].separation(from: time) <= tolerance {
        news.append(.confirmed(step, announced: .nanoseconds(open[nearest].announced)))
        open.remove(at: nearest)
      } else {
        news.append(.confirmed(step, announced: nil))
      }
    }
  }

  /// Nothing at or before this time will be confirmed any more.
  mutating func expire(at time: Int64) {
    while let first = open.first, first.present <= time {
      news.append(.retracted(.nanoseconds(first.announced)))
      open.removeFirst()
    }
  }

  /// A run is over and decided.
  mutating func endRun() {
    expire(at: .max)
    latest = .min
  }
}
