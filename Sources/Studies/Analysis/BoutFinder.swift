/// Bouts of walking by the rule of stepcount 3 (`summarize_bouts`): Small S. R. et al. "Self-supervised machine learning to
/// characterize step counts from wrist-worn accelerometers in the UK Biobank". Medicine & Science in Sports & Exercise
/// 56 (2024) 1945–1953, and its source.
enum BoutFinder {
  /// The length of a window, in nanoseconds.
  static let window: Int64 = 10_000_000_000
  /// Steps that make a window one of walking.
  static let leastSteps = 3
  private static let leastShare = 0.8
  private static let mostIdle = 3

  /// The runs of windows that are bouts.
  /// - Parameter steps: the steps in each window.
  static func bouts(_ steps: [Int]) -> [Range<Int>] {
    var bouts: [Range<Int>] = []
    var start: Int?
    var (walked, idle) = (0, 0)
    for (index, count) in steps.enumerated() {
      if count >= leastSteps {
        start = start ?? index
        walked += 1
        idle = 0
      } else if let first = start {
        idle += 1
        guard idle > mostIdle || Double(walked) / Double(index + 1 - first) < leastShare else { continue }
        bouts.append(first..<(index + 1 - idle))
        (start, walked, idle) = (nil, 0, 0)
      }
    }
    if let first = start { bouts.append(first..<(steps.count - idle)) }
    return bouts
  }
}
