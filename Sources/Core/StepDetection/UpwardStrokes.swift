/// Recognises strokes that each end in a sharp pull upwards, no faster than a walk: a dribbled ball, claps, blows.
///
/// They have the rhythm and the size of steps, so the gate, which sums up features, takes them for walking if it has not seen the
/// person. What tells them apart is a product that no sum forms: large jerks, *and* skewed upwards, *and* an acceleration skewed
/// along gravity, *and* none of the rare, hard impacts of a leg, *and* a cadence below running. A runner's wrist has all but the
/// last, a walker's foot all but the one before it, others some of them now and then; so means over several seconds are compared.
struct UpwardStrokes: Sendable {
  /// Running means over loud blocks: the skewness of the jerks along gravity, ln of the largest jerk, the skewness of
  /// the acceleration along gravity, ln of the kurtosis of the magnitude with its sign changed.
  private var mean = SIMD4<Float>.zero
  private var blocks: Float = 0

  /// Takes the shape of a block that is not quiet.
  /// - Parameter weight: of the block in the means, once there are several.
  mutating func take(_ shape: MovementShape, weight: Float) {
    blocks = min(blocks + 1, 1 / Tuning.strokeTracking)
    let now = SIMD4(shape.verticalJerkSkewness, shape.largestJerk, shape.verticalSkewness, -shape.kurtosis)
    mean += (now - mean) * SIMD4(repeating: max(weight, 1 / blocks))
  }

  /// What the strokes speak against walking, in log-odds: 0 to ``Tuning/strokeObjection``.
  /// - Parameter logCadence: ln of the steps a second.
  func objection(logCadence: Float) -> Float {
    if blocks == 0 || logCadence >= Tuning.logStrokeCadence { return 0 }
    let excess = mean - Tuning.strokeLimits
    let least = excess.min()
    return Tuning.strokeObjection * min(max(least / Tuning.strokeRamp, 0), 1)
  }
}
