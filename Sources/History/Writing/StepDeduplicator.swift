/// Decides which steps of a source count, from no more than its latest step.
///
/// A pure value. Times are microseconds of the wall clock as it is set now: setting the clock moves ``newest``
/// along, so "later" means later for the walker.
struct StepDeduplicator {
  enum Verdict {
    case counts, repeated, impossible
  }

  /// Its latest step.
  var newest: Int64?
  /// How many steps were taken in that step's minute.
  var minuteSteps: Int

  /// An upper bound of steps per minute.
  static let mostStepsPerMinute = Int(WalkedStep.highestCadence * 60)
  /// How far ahead of the clock a step may be: sensors' clocks are not exact.
  static let tolerance: Int64 = 2_000_000

  /// Looks at a step.
  mutating func take(_ time: Int64, now: Int64) -> Verdict {
    guard time >= 0, time <= now + Self.tolerance else { return .impossible }
    if let newest, time <= newest { return .repeated }
    let isSameMinute = newest.map { $0.floored(by: .minute) == time.floored(by: .minute) } ?? false
    if isSameMinute, minuteSteps >= Self.mostStepsPerMinute { return .impossible }
    newest = time
    minuteSteps = isSameMinute ? minuteSteps + 1 : 1
    return .counts
  }

  /// A step that came with the first batch after the clock was set may still carry the time of the former clock.
  /// - Parameters:
  ///   - set: how far the clock was set forward.
  /// - Returns: its time by the clock as it stands now.
  func heeding(_ set: Int64, _ time: Int64, now: Int64) -> Int64 {
    let isPlausible = time <= now + Self.tolerance && time > newest ?? .min
    let former = time + set
    let wasPlausible = former <= now + Self.tolerance && former > newest ?? .min
    return !isPlausible && wasPlausible ? former : time
  }
}
