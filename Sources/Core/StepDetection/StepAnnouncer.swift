import Accelerometry
import Pedometry

/// The state of a step, from the moment its peak is seen.
public enum StepNews: Sendable, Hashable {
  /// Provisional: a foot may have struck. Confirmed or retracted later, with the same time.
  case announced(Duration)
  /// A step is confirmed, with the time of its announcement if it had one.
  case confirmed(Step, announced: Duration?)
  /// The announced step is retracted.
  case retracted(Duration)
}

/// Announces provisional steps.
///
/// The detector needs up to ``StepDetector/longestDelay`` to distinguish walking from other movements. The announcer
/// reports each peak that is high enough for a step at once, and later whether it was confirmed or retracted. It does
/// not affect the confirmed steps.
public struct StepAnnouncer: Sendable {
  /// A step confirmed within this time of an announcement is the announced step.
  public static let tolerance = Duration.milliseconds(100)

  private struct Open: Sendable {
    /// The strike as it was announced, in nanoseconds of the sensor clock.
    let announced: Int64
    /// The strike according to the peak finder at present: a higher peak close by replaces a lower one.
    var present: Int64

    func separation(from time: Int64) -> UInt64 {
      min((announced &- time).magnitude, (present &- time).magnitude)
    }
  }

  /// By rising time; covers a few seconds.
  private var open: [Open] = []
  private var latest = Int64.min
  /// The events since the last call of ``takeNews()``.
  private var news: [StepNews] = []

  /// Creates an announcer without announcements.
  public init() {}

  /// The events since the last call, in order.
  public mutating func takeNews() -> [StepNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }

  /// Takes a peak that is high enough, or that replaces the previous one.
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

  /// Takes confirmed steps.
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

  /// Retracts announcements at or before this time, which can no longer be confirmed.
  mutating func expire(at time: Int64) {
    while let first = open.first, first.present <= time {
      news.append(.retracted(.nanoseconds(first.announced)))
      open.removeFirst()
    }
  }

  /// Ends a run, all of whose steps are decided.
  mutating func endRun() {
    expire(at: .max)
    latest = .min
  }
}
