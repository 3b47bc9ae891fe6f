/// The steps of each minute of a live count, and the time walked; the last four hours.
struct MinuteSteps {
  private static let most = 240

  /// The steps of the minutes, the current one last.
  private(set) var minutes: [Int] = []
  /// The time in which there was a cadence.
  private(set) var walking = Duration.zero
  private var current = 0
  private var last: (steps: Int, elapsed: Duration) = (0, .zero)

  /// Takes totals, at a time since the first sample. Steps that are taken back leave the current minute.
  mutating func take(steps: Int, isWalking: Bool, at elapsed: Duration) {
    if isWalking, elapsed > last.elapsed { walking += elapsed - last.elapsed }
    let minute = Int(elapsed / .seconds(60))
    if minutes.isEmpty { minutes = [0] }
    let passed = min(max(0, minute - current), Self.most)
    minutes += Array(repeating: 0, count: passed)
    current = max(current, minute)
    if minutes.count > Self.most { minutes.removeFirst(minutes.count - Self.most) }
    minutes[minutes.count - 1] = max(0, minutes[minutes.count - 1] + steps - last.steps)
    last = (steps, max(elapsed, last.elapsed))
  }
}
