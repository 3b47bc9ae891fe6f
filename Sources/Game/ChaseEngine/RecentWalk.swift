/// The walk of the last seconds, recorded at each whole second of the chase.
///
/// Seconds of the chase, not of the day, so a pause does not affect the mean.
public struct RecentWalk: Sendable, Hashable {
  /// The number of seconds that are kept.
  public static let longestWindow = 30
  /// The seconds over which current values are averaged: long enough for the bursts in which a detector reports steps.
  public static let presentWindow = 10

  private struct Mark: Hashable {
    var steps: Int
    var distance: Double
  }

  /// Totals at whole seconds, the newest last; the first one is the state before the first second.
  private var marks = [Mark(steps: 0, distance: 0)]

  /// Begins with a walker who has not moved.
  public init() {}

  mutating func record(steps: Int, distance: Double) {
    if marks.count > Self.longestWindow { marks.removeFirst() }
    marks.append(Mark(steps: steps, distance: distance))
  }

  /// Whether a whole second has passed.
  var hasSeconds: Bool { marks.count > 1 }

  /// The speed in metres a second over the last `seconds`, or over as many as there were.
  /// - Parameter seconds: 1 to ``longestWindow``; more counts as that many.
  /// - Returns: 0 before the first whole second.
  public func velocity(over seconds: Int = presentWindow) -> Double {
    mean(over: seconds) { $1.distance - $0.distance }
  }

  /// The cadence in steps a second over the last `seconds`, or over as many as there were; 0 before the first whole
  /// second.
  public func cadence(over seconds: Int = presentWindow) -> Double {
    mean(over: seconds) { Double($1.steps - $0.steps) }
  }

  private func mean(over seconds: Int, of growth: (Mark, Mark) -> Double) -> Double {
    let span = min(max(seconds, 1), marks.count - 1)
    guard span > 0 else { return 0 }
    return growth(marks[marks.count - 1 - span], marks[marks.count - 1]) / Double(span)
  }
}
