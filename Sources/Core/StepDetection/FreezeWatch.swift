/// Detects a sensor that repeats one value for seconds during motion.
///
/// It uses the squared magnitude of the cells. A sensor of few bits that is held still also repeats its value, so a
/// freeze needs motion right before and right after, and a repeated value other than gravity.
struct FreezeWatch: Sendable {
  private var latest: Float = 0
  /// The mean change of the squared magnitude from cell to cell, over half a second.
  private var motion: Float = 0
  /// The number of cells equal to the previous one.
  private var still = 0
  /// Cells since the latest freeze ended, until it is known whether motion follows.
  private var resumed = 0
  private var length = 0

  /// Takes a cell's squared magnitude in g².
  /// - Returns: the length in cells of a freeze that ended a second ago; mostly `nil`.
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
