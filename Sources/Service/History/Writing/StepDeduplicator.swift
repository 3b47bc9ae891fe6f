/// Decides which steps of a source count, using only its latest step.
///
/// A pure value. Times are microseconds of the wall clock as it is set now: a clock change shifts ``newest`` as well,
/// so "later" refers to elapsed time.
struct StepDeduplicator {
  enum Verdict {
    case counts, repeated, impossible
  }

  /// Its latest step.
  var newest: Int64?
  /// The number of steps in the minute of that step.
  var minuteSteps: Int

  /// An upper bound of steps per minute.
  static let mostStepsPerMinute = Int(WalkedStep.highestCadence * 60)
  /// How far in the future a step may be, since sensor clocks are not exact.
  static let tolerance: Int64 = 2_000_000

  mutating func take(_ time: Int64, now: Int64) -> Verdict {
    guard time >= 0, time <= now + Self.tolerance else { return .impossible }
    if let newest, time <= newest { return .repeated }
    let isSameMinute = newest.map { $0.floored(by: .minute) == time.floored(by: .minute) } ?? false
    if isSameMinute, minuteSteps >= Self.mostStepsPerMinute { return .impossible }
    newest = time
    minuteSteps = isSameMinute ? minuteSteps + 1 : 1
    return .counts
  }

  /// A step in the first batch after a clock change may still have the time of the previous clock.
  /// - Parameters:
  ///   - set: how far the clock was set forward.
  /// - Returns: its time on the clock as it is set now.
  func heeding(_ set: Int64, _ time: Int64, now: Int64) -> Int64 {
    let isPlausible = time <= now + Self.tolerance && time > newest ?? .min
    let former = time + set
    let wasPlausible = former <= now + Self.tolerance && former > newest ?? .min
    return !isPlausible && wasPlausible ? former : time
  }
}
