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
  ///   - steps: lines of steps, with times on the clock of the samples.
  ///   - walk: the totals.
  ///   - now: the latest sample's time on its own clock.
  /// - Returns: the lines that are due.
  package mutating func take(_ steps: [LiveLine], _ walk: WalkTotals, now: Duration) -> [LiveLine] {
    let origin = origin ?? now
    latest = now - origin
    // A foot may have struck before the first sample.
    let place = { (time: Duration) in max(.zero, time - origin) }
    var lines: [LiveLine] = []
    for case .step(let time, let number, let state, let announced) in steps {
      if state == .provisional { open += 1 } else if state == .retracted || announced != nil { open -= 1 }
      lines.append(.step(place(time), steps: number, state: state, announced: announced.map(place)))
    }
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
