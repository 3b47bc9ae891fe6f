/// Notices a sensor that says the same for seconds in the midst of motion.
///
/// It looks at the squared magnitude of the cells. A sensor of few bits that is held still says the same as well, so what
/// counts is motion right before and right after, and that what is repeated is not gravity alone.
struct FreezeWatch: Sendable {
  private var latest: Float = 0
  /// The mean change of the squared magnitude from cell to cell, over half a second.
  private var motion: Float = 0
  /// Cells that were like the one before.
  private var still = 0
  /// Cells since the latest freeze ended, while it is not known whether motion follows.
  private var resumed = 0
  private var length = 0

  /// Takes a cell's squared magnitude in g².
  /// - Returns: how many cells a freeze took that ended a second ago; mostly `nil`.
  @inline(__always)
  mutating func take(_ squared: Float) -> Int? {
    let before = latest
    let change = abs(squared - before)
    latest = squared
    if change <= 4e-6 * squared {
      still += 1
      return nil
    }
    if still < Tuning.frozenCells, resumed == 0 {
      still = 0
      motion += (change - motion) * 0.125
      return nil
    }
    return end(change, repeated: before)
  }

  private mutating func end(_ change: Float, repeated: Float) -> Int? {
    if still >= Tuning.frozenCells {
      length = motion > Tuning.frozenMotion && abs(repeated - 1) > Tuning.gravityAlone ? still : 0
      resumed = length > 0 ? 1 : 0
      motion = 0
    } else {
      resumed += 1
    }
    still = 0
    motion += (change - motion) * 0.125
    guard resumed == Tuning.resumedCells else { return nil }
    resumed = 0
    return motion > Tuning.frozenMotion ? length : nil
  }
}
