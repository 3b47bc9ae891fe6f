/// Recognises movements that no walk resembles, by products of a few properties.
///
/// The gate sums up features, and each feature of these movements is that of some walk; so it takes them for walking if it has
/// not seen their like. A product is what no sum forms, and each of these follows from what a body can do:
///
/// | movement | all of these | because |
/// | --- | --- | --- |
/// | strokes that end in a sharp pull upwards: a dribbled ball, claps, blows | large jerks, skewed upwards, as is the acceleration along gravity, without rare, hard impacts, slower than a run | a foot is pushed up by the ground, not pulled; a leg has the impacts, and a runner's wrist the pull |
/// | pedals at a leg | the fundamental of the stride in the magnitude, and along gravity | two feet lift a body twice a stride, a crank once |
/// | a limb that is lifted | the same, less clearly, a wide turn, and a long way for its cadence | an arm or a leg swings far at a walk only if it also feels the steps |
/// | breath, shaking, teeth | four beats a stride, in the axes and in the magnitude | a stride is two steps |
/// | what hardly moves a body | an amplitude of less than 5 mm | a step lifts a body by centimetres, and even a hand on a rail by millimetres |
///
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
  private var blocks: Float = 0

  /// Takes a block that is not quiet.
  /// - Parameter weight: of the block in the means, once there are several.
  mutating func take(_ features: BlockFeatures, _ shape: MovementShape, weight: Float) {
    blocks = min(blocks + 1, 1 / Tuning.recognition)
    let weight = max(weight, 1 / blocks)
    let stroke = SIMD4(shape.verticalJerkSkewness, shape.largestJerk, shape.verticalSkewness, -shape.kurtosis)
    let turn = SIMD4(shape.fundamental, shape.verticalFundamental, shape.largestTurn, shape.ampleness)
    strokes += (stroke - strokes) * SIMD4(repeating: weight)
    swing += (turn - swing) * SIMD4(repeating: weight)
    beats += (min(features.stride.z, features.quarterStride) - beats) * weight
  }

  /// What speaks against walking, in log-odds: 0 to ``Tuning/recognisedObjection``.
  /// - Parameter logCadence: ln of the steps a second.
  func objection(logCadence: Float) -> Float {
    if blocks == 0 { return 0 }
    let pull =
      logCadence < Tuning.logStrokeCadence ? ((strokes - Tuning.strokeLimits) / Tuning.strokeRamps).min() : 0
    let pedal = ((swing - Tuning.pedalLimits) / Tuning.pedalRamps).min()
    let lift = ((swing - Tuning.liftLimits) / Tuning.liftRamps).min()
    let beat = (beats - Tuning.beatLimit) / Tuning.beatRamp
    let faintness = (Tuning.faintLimit - swing.w) / Tuning.faintRamp
    let most = max(pull, max(pedal, max(lift, max(beat, faintness))))
    return Tuning.recognisedObjection * min(max(most, 0), 1)
  }
}
