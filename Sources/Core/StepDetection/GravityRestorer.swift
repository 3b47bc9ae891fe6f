/// Detects removed gravity, and adds one g along the main direction of movement.
///
/// Phones offer "user acceleration" without gravity. Its magnitude has two peaks a step, one up and one down. Gait
/// moves mostly up and down, so a unit vector along the main direction of movement, with either sign, replaces gravity
/// well enough for the magnitude.
///
/// An arm may swing more than the body bounces, but it swings once a stride and smoothly, while the bounce has the
/// frequency of steps, and impacts. So the direction is that of the second differences of the cells, which grow with the
/// square of the frequency.
struct GravityRestorer: Sendable {
  private var mean = SIMD4<Float>.zero
  private var direction = SIMD4<Float>(0, 0, 1e-3, 0)
  private(set) var isMissing = false
  /// What replaces gravity where it is missing, in g; else zero.
  private(set) var replacement = SIMD4<Float>.zero
  private var isFirst = true
  private var knowsGravity = false
  /// The latest cell, and its difference from the one before.
  private var previous = SIMD4<Float>.zero
  private var change = SIMD4<Float>.zero

  /// Knows only whether gravity is missing: what else there was belongs to the rest before a movement.
  var afterRest: GravityRestorer {
    var other = GravityRestorer()
    other.knowsGravity = !isFirst
    other.isMissing = isMissing
    return other
  }

  /// The magnitude of a cell in g, as measured with gravity.
  /// - Parameters:
  ///   - cell: the acceleration in g; the last lane is zero.
  ///   - squared: its squared length.
  @inline(__always)
  mutating func magnitude(of cell: SIMD4<Float>, squared: Float) -> Float {
    if isFirst {
      isFirst = false
      mean = cell
      if !knowsGravity { isMissing = squared < Tuning.firstCellLightSquared }
    }
    mean += (cell - mean) * SIMD4(repeating: Tuning.gravityTracking)
    let meanSquared = mean.squaredLength
    if meanSquared < Tuning.gravityGoneSquared {
      isMissing = true
    } else if meanSquared > Tuning.gravityBackSquared {
      (isMissing, replacement) = (false, .zero)
    }
    return (isMissing ? restored(cell).squaredLength : squared).squareRoot()
  }

  private mutating func restored(_ cell: SIMD4<Float>) -> SIMD4<Float> {
    let latest = cell - previous
    let jolt = latest - change
    (previous, change) = (cell, latest)
    let along: Float = (direction * jolt).sum() >= 0 ? 1 : -1
    direction = direction * Tuning.directionMemory + jolt * along
    replacement = direction / (direction.squaredLength + 1e-12).squareRoot()
    return cell + replacement
  }
}

extension SIMD4<Float> {
  @inline(__always)
  var squaredLength: Float {
    let squares = self * self
    return (squares.x + squares.y) + (squares.z + squares.w)
  }
}
