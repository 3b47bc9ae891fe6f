/// The steps of each minute of a live count; those of the last week.
struct MinuteSteps {
  /// The cadence of brisk walking, in steps a minute.
  static let brisk = 100
  private static let most = 7 * 1440

  /// The steps of the minutes, the current one last.
  private(set) var minutes: [Int] = []
  /// How often walking began.
  private(set) var walks = 0
  private var isWalking = false
  private var current = 0
  private var told = 0

  /// Takes totals, at a time since the first sample. Steps that are taken back leave the current minute.
  mutating func take(steps: Int, isWalking: Bool, at elapsed: Duration) {
    if isWalking, !self.isWalking { walks += 1 }
    self.isWalking = isWalking
    let minute = Int(elapsed / .seconds(60))
    if minutes.isEmpty { minutes = [0] }
    let passed = min(max(0, minute - current), Self.most)
    minutes += Array(repeating: 0, count: passed)
    current = max(current, minute)
    if minutes.count > Self.most { minutes.removeFirst(minutes.count - Self.most) }
    minutes[minutes.count - 1] = max(0, minutes[minutes.count - 1] + steps - told)
    told = steps
  }
}
