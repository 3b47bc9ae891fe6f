/// Bouts of walking by published rules.
///
/// stepcount 3 (`summarize_bouts`): Small S. R. et al. "Self-supervised machine learning to characterize step counts
/// from wrist-worn accelerometers in the UK Biobank". Medicine & Science in Sports & Exercise 56 (2024) 1945–1953, and
/// its source code. GGIR (`g.getbout`, bout metric 6): Migueles J. H. et al. "GGIR: a research community–driven open
/// source R package for generating physical activity and sleep outcomes from multi-day raw accelerometer data". Journal
/// for the Measurement of Physical Behaviour 2 (2019) 188–196, and its manual.
enum BoutFinder {
  /// The length of a window, in nanoseconds.
  static let window: Int64 = 10_000_000_000
  /// The minimum number of steps in a window with walking.
  static let leastSteps = 3
  private static let leastShare = 0.8
  private static let mostIdle = 3

  /// The runs of windows that form bouts.
  /// - Parameter steps: the number of steps in each window.
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

  /// The default epoch length of GGIR, in nanoseconds.
  static let epoch: Int64 = 5_000_000_000
  /// The minimum number of steps in an epoch of walking: 24 steps/min. GGIR leaves this threshold to its users.
  static let leastStepsOfEpoch = 2
  /// Epochs per minute.
  static let epochsOfMinute = Int(60_000_000_000 / epoch)

  /// The runs of epochs that are bouts by GGIR's rule: all epochs covered by windows of the minimum length of a bout.
  /// In a window, the first epoch, the last one and at least 80 % of all are walking, and no pause is longer than a
  /// minute.
  /// - Parameters:
  ///   - steps: the number of steps in each epoch.
  ///   - minutes: the minimum length of a bout.
  static func boutsOfGGIR(_ steps: [Int], minutes: Int) -> [Range<Int>] {
    let length = minutes * epochsOfMinute
    guard steps.count >= length else { return [] }
    let isWalking = steps.map { $0 >= leastStepsOfEpoch }
    var bouts: [Range<Int>] = []
    var walking = isWalking.prefix(length).count { $0 }
    // The last epoch of the latest pause that exceeds the limit.
    var (pause, longPause) = (0, -1)
    for end in 0..<steps.count {
      pause = isWalking[end] ? 0 : pause + 1
      if pause > epochsOfMinute { longPause = end }
      let start = end + 1 - length
      if start < 0 { continue }
      if start > 0 { walking += (isWalking[end] ? 1 : 0) - (isWalking[start - 1] ? 1 : 0) }
      guard isWalking[start], isWalking[end], longPause < start, walking * 5 >= length * 4 else { continue }
      if let last = bouts.last, last.upperBound >= start {
        bouts[bouts.count - 1] = last.lowerBound..<(end + 1)
      } else {
        bouts.append(start..<(end + 1))
      }
    }
    return bouts
  }
}
