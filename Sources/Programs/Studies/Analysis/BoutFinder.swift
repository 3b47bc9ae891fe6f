/// Bouts of walking by the rule of GGIR (`g.getbout`, bout metric 6): Migueles J. H. et al. "GGIR: a research community–driven
/// open source R package for generating physical activity and sleep outcomes from multi-day raw accelerometer data". Journal
/// for the Measurement of Physical Behaviour 2 (2019) 188–196, and its manual.
enum BoutFinder {
  /// The default epoch length of GGIR, in nanoseconds.
  static let epoch: Int64 = 5_000_000_000
  /// The minimum number of steps in an epoch of walking: 24 steps/min. GGIR leaves this threshold to its users.
  static let leastStepsOfEpoch = 2
  static let epochsOfMinute = Int(60_000_000_000 / epoch)

  /// The runs of epochs that are bouts: all epochs covered by windows of the minimum length of a bout.
  /// In a window, the first epoch, the last one and at least 80 % of all are walking, and no pause is longer than a
  /// minute.
  /// - Parameters:
  ///   - steps: the number of steps in each epoch.
  ///   - minutes: the minimum length of a bout.
  static func bouts(_ steps: [Int], minutes: Int) -> [Range<Int>] {
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
