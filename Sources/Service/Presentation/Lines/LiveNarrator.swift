import Accelerometry
import Pedometry

/// Turns the events of a walk into lines, when they are due. It is a pure value, for programs, terminals and event streams.
///
/// It has no clock: lines are due by the time of the samples.
package struct LiveNarrator: Sendable {
  /// The time between two lines of data; `nil` means a second, if something has changed.
  package var interval: Duration?
  /// Whether a line of data is due even without changes, because a person is watching.
  package var isWatched = false
  /// The time of the first sample on its own clock; `nil` before it.
  package var origin: Duration?
  /// The number of announced steps that are undecided.
  package private(set) var open = 0
  /// The latest sample's time since the first one.
  package private(set) var latest = Duration.zero

  private var dueData = Duration.zero
  private var told: WalkTotals?
  private var wasWalking = false
  private var hasPaused = false

  /// Creates a narrator at the beginning.
  package init(interval: Duration? = nil, isWatched: Bool = false) {
    (self.interval, self.isWatched) = (interval, isWatched)
  }

  /// Takes steps and totals.
  /// - Parameters:
  ///   - news: steps, each with the number of all steps confirmed up to then.
  ///   - walk: the totals.
  ///   - now: the latest sample's time on its own clock.
  /// - Returns: the lines that are due.
  package mutating func take(_ news: [(StepReport, Int)], _ walk: WalkTotals, now: Duration) -> [LiveLine] {
    let origin = origin ?? now
    latest = now - origin
    open += news.reduce(0) { $0 + $1.0.change }
    var lines = news.map { report, steps in report.line(since: origin, steps: steps) }
    if let change = change(walk) { lines.append(change) }
    if let data = dueData(walk) { lines.append(data) }
    return lines
  }

  /// An event at the time of the latest sample.
  package func event(_ event: LiveLine.Event, _ message: String) -> LiveLine { .event(latest, event, message) }

  /// Stopping and resuming, according to the totals.
  private mutating func change(_ walk: WalkTotals) -> LiveLine? {
    let isWalking = walk.currentCadence != nil
    defer { wasWalking = isWalking }
    if wasWalking, !isWalking {
      hasPaused = true
      return .event(latest, .paused, "the walker stopped")
    }
    if isWalking, !wasWalking, hasPaused { return .event(latest, .resumed, "the walker resumed") }
    return nil
  }

  private mutating func dueData(_ walk: WalkTotals) -> LiveLine? {
    guard latest >= dueData else { return nil }
    let isNew =
      walk.steps != told?.steps || walk.currentCadence != told?.currentCadence || interval != nil
    guard isNew || isWatched else { return nil }
    let interval = interval ?? .seconds(1)
    let missed = ((latest - dueData) / interval).rounded(.down)
    dueData += interval * (missed + 1)
    told = walk
    return .data(latest, walk)
  }
}
