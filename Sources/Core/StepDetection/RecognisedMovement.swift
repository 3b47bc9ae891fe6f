/// Recognises movements that no walk resembles, by products of a few properties.
///
/// The gate sums up features, and each feature of these movements is that of some walk; so it takes them for walking if it has
/// not seen their like. A product is what no sum forms: strokes that end in a sharp pull upwards, pedals at a leg, lifted limbs,
/// soft beats four times a stride, and what hardly moves a body. <doc:HowStepsAreFound> says of what each consists, and why.
/// Single windows of walks have any of them now and then, so means over several seconds are compared.
struct RecognisedMovement: Sendable {
  /// Running means over loud blocks: the skewness of the jerks along gravity, ln of the largest jerk, the skewness of
  /// the acceleration along gravity, ln of the kurtosis of the magnitude with its sign changed.
  private var strokes = SIMD4<Float>.zero
  /// The same: the share of the stride's fundamental in the magnitude, and along gravity, ln of the largest turn of gravity, ln
  /// of the amplitude (g) over the square of the cadence (steps/s).
  private var swing = SIMD4<Float>.zero
  /// The same: the smaller correlation after a quarter of the stride, of the axes and of the magnitude.
  private var beats: Float = 0
  /// The same: ln of the amplitude (g) over the square of the counted cadence (steps/s).
  private var bounce: Float = 0
  private var blocks: Float = 0
  /// How far strokes, and the most certain other movement, are above their limits: 1 and more is certain.
  private var (pull, certainty) = (Float(0), Float(0))

  /// Takes a block that is not quiet.
  /// - Parameters:
  ///   - cadence: steps a second, as they are counted.
  ///   - weight: of the block in the means, once there are several.
  mutating func take(_ features: BlockFeatures, _ shape: MovementShape, cadence: Float, weight: Float) {
    blocks = min(blocks + 1, 1 / Tuning.recognition)
    let weight = max(weight, 1 / blocks)
    let stroke = SIMD4(shape.verticalJerkSkewness, shape.largestJerk, shape.verticalSkewness, -shape.kurtosis)
    let turn = SIMD4(shape.fundamental, shape.verticalFundamental, shape.largestTurn, shape.ampleness)
    strokes += (stroke - strokes) * SIMD4(repeating: weight)
    swing += (turn - swing) * SIMD4(repeating: weight)
    beats += (min(features.stride.z, features.quarterStride) - beats) * weight
    bounce += (features.logAmplitude - 2 * fastLog(cadence) - bounce) * weight
    compare()
  }

  /// What speaks against walking, in log-odds: 0 to ``Tuning/recognisedObjection``.
  /// - Parameter logCadence: ln of the steps a second.
  func objection(logCadence: Float) -> Float {
    let most = logCadence < Tuning.logStrokeCadence ? max(certainty, pull) : certainty
    return Tuning.recognisedObjection * min(most, 1)
  }

  /// Compares the means, which in a walk change in every eighth block only.
  private mutating func compare() {
    pull = ((strokes - Tuning.strokeLimits) / Tuning.strokeRamp).min()
    let pedal = min(swing.x - Tuning.pedalLimits.once, swing.y - Tuning.pedalLimits.along) / Tuning.pedalRamp
    let lift = ((swing - Tuning.liftLimits) / Tuning.liftRamps).min()
    let beat = min((beats - Tuning.beatLimit) / Tuning.beatRamp, (Tuning.softLimit - bounce) / Tuning.beatRamp)
    let faintness = (Tuning.faintLimit - bounce) / Tuning.faintRamp
    // The mean of a few blocks may be the edge of a clip.
    certainty = min(max(0, pedal, max(lift, beat, faintness)), 1) * min(blocks / 8, 1)
  }
}
