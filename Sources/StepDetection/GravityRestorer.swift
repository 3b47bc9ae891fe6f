/// Notices a platform that removed gravity, and puts one g back along the main direction of movement.
///
/// Phones offer "user acceleration" with gravity taken out. Its magnitude then has two peaks a step, one up and one
/// down. Gait moves mostly up and down, so a unit vector along the main direction of movement, up to its sign, stands
/// in for gravity well enough for the magnitude; orientation does not matter.
struct GravityRestorer: Sendable {
  private var mean = SIMD3<Float>.zero
  private var direction = SIMD3<Float>(0, 0, 1e-3)
  private(set) var isMissing = false
  private var isFirst = true

  /// The cell's magnitude in g, as an accelerometer that feels gravity would have it.
  @inline(__always)
  mutating func magnitude(of cell: SIMD3<Float>) -> Float {
    if isFirst {
      isFirst = false
      mean = cell
      isMissing = (cell * cell).sum() < Tuning.firstCellLightSquared
    }
    mean += (cell - mean) * Tuning.gravityTracking
    let meanSquared = (mean * mean).sum()
    if meanSquared < Tuning.gravityGoneSquared {
      isMissing = true
    } else if meanSquared > Tuning.gravityBackSquared {
      isMissing = false
    }
    let felt = isMissing ? restored(cell) : cell
    return (felt * felt).sum().squareRoot()
  }

  private mutating func restored(_ cell: SIMD3<Float>) -> SIMD3<Float> {
    let along: Float = (direction * cell).sum() >= 0 ? 1 : -1
    direction = direction * Tuning.directionMemory + cell * along
    return cell + direction / ((direction * direction).sum() + 1e-12).squareRoot()
  }
}
