import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Movements that no walk resembles", .timeLimit(.minutes(30)))
struct RecognisedMovementTests {
  private typealias Vector = SIMD4<Float>
  private static let walking: Float = 0.6
  private static let running: Float = 0.9

  /// Two strokes a second along gravity: a sharp jerk up, then a slow way back.
  private static let stroke: [Float] = [1.2, 0.4, -0.2, -0.4, -0.5, -0.5]
  /// The impact of a leg, once a second.
  private static let impact: [Float] = [1.1, 0.4] + [Float](repeating: -0.15, count: 10)

  /// - Parameter size: of a stroke in g; negative for a jerk downwards.
  private static func strokes(_ stroke: [Float] = stroke, size: Float) -> MovementShape {
    var window = MovementWindow()
    for i in 0..<48 {
      let felt = size * stroke[i % stroke.count]
      window.append(Vector(0, 0, felt, felt), before: Vector(0, 0, 1 + felt, 0))
      if i % 6 == 5 { window.finishBlock() }
    }
    return window.shape(period: 12, ampleness: 0.5)
  }

  private static func objection(
    to shape: MovementShape, features: BlockFeatures = features(), logCadence: Float = walking
  ) -> Float {
    var movement = RecognisedMovement()
    for _ in 0..<20 { movement.take(features, shape, cadence: 2, weight: Tuning.recognition) }
    return movement.objection(logCadence: logCadence)
  }

  /// - Parameters:
  ///   - axes: their correlation after a quarter of the stride.
  ///   - magnitude: the same of the magnitude.
  ///   - millimetres: the amplitude at two steps a second.
  private static func features(
    axes: Float = -0.5, magnitude: Float = -0.5, millimetres: Double = 20
  ) -> BlockFeatures {
    let correlation = Correlation()
    var features = BlockFeatures(correlation, Stride(searching: correlation))
    (features.stride.z, features.magnitudeAtStride.z) = (axes, magnitude)
    features.logAmplitude = Float(log(millimetres * 1e-3 * 16 * .pi * .pi / 9.81 / 2.0.squareRoot()))
    return features
  }

  /// A sensor that is moved along gravity and turned against it, with a stride of twelve cells.
  /// - Parameters:
  ///   - once: the amplitude of what it feels once a stride, in g.
  ///   - twice: the same twice a stride.
  ///   - turn: its largest angle, in radians; it turns to and fro in four strides.
  private static func swing(once: Float, twice: Float, turn: Float = 0, ampleness: Float = -1) -> MovementShape {
    var window = MovementWindow()
    for i in 0..<48 {
      let phase = Double(i) / 12 * 2 * Double.pi
      let felt = once * Float(sin(phase)) + twice * Float(sin(2 * phase))
      let angle = Double(turn) * sin(phase / 4)
      let (across, along) = (Float(sin(angle)), Float(cos(angle)))
      window.append(
        Vector(0, (1 + felt) * across, (1 + felt) * along - 1, felt),
        before: Vector(0, (1 + felt) * across, (1 + felt) * along, 0))
      if i % 6 == 5 { window.finishBlock() }
    }
    return window.shape(period: 12, ampleness: ampleness)
  }

  @Test("what lifts a leg once a stride is a pedal, what lifts it twice a walk")
  func pedals() {
    #expect(Self.objection(to: Self.swing(once: 0.4, twice: 0.1)) == Tuning.recognisedObjection)
    #expect(Self.objection(to: Self.swing(once: 0.1, twice: 0.4)) == 0)
    #expect(Self.objection(to: Self.swing(once: 0.3, twice: 0.3)) == 0)
  }

  @Test("with a wide turn, less of the fundamental is enough for a lifted limb")
  func lifts() {
    let lifted = Self.swing(once: 0.45, twice: 0.5, turn: 0.6)
    #expect(lifted.fundamental < Tuning.pedalLimits.once)
    #expect(Self.objection(to: lifted) == Tuning.recognisedObjection)
    #expect(Self.objection(to: Self.swing(once: 0.45, twice: 0.5, turn: 0.1)) == 0)
    #expect(Self.objection(to: Self.swing(once: 0.2, twice: 0.5, turn: 0.6)) == 0)
    #expect(Self.objection(to: Self.swing(once: 0.45, twice: 0.5, turn: 0.6, ampleness: -2.5)) == 0)
  }

  @Test("four soft beats a stride, in axes and magnitude, are no steps")
  func beats() {
    let walk = Self.swing(once: 0.1, twice: 0.4)
    let objection = { (axes: Float, magnitude: Float, millimetres: Double) in
      Self.objection(to: walk, features: Self.features(axes: axes, magnitude: magnitude, millimetres: millimetres))
    }
    #expect(objection(0.5, 0.5, 5.3) == Tuning.recognisedObjection)
    #expect(objection(0.5, -0.5, 5.3) == 0)
    #expect(objection(-0.5, 0.5, 5.3) == 0)
    // A run of which four steps were taken for a stride.
    #expect(objection(0.5, 0.5, 10) == 0)
  }

  @Test("what moves a body by less than 5 mm is no walk")
  func faint() {
    let walk = Self.swing(once: 0.1, twice: 0.4)
    #expect(Self.objection(to: walk, features: Self.features(millimetres: 3)) == Tuning.recognisedObjection)
    #expect(Self.objection(to: walk, features: Self.features(millimetres: 6)) == 0)
  }

  @Test("strokes that pull up sharply speak against walking")
  func upwards() {
    #expect(Self.objection(to: Self.strokes(size: 2)) == Tuning.recognisedObjection)
  }

  @Test("nothing speaks against walking before a block was seen")
  func empty() {
    #expect(RecognisedMovement().objection(logCadence: Self.walking) == 0)
  }

  @Test("at the cadence of running, they do not")
  func running() {
    #expect(Self.objection(to: Self.strokes(size: 2), logCadence: Self.running) == 0)
  }

  @Test("neither do jerks downwards, nor soft strokes")
  func others() {
    #expect(Self.objection(to: Self.strokes(size: -2)) == 0)
    #expect(Self.objection(to: Self.strokes(size: 0.3)) == 0)
  }

  @Test("nor the rare, hard impacts of a leg")
  func legs() {
    let leg = Self.strokes(Self.impact, size: 2)
    #expect(leg.verticalJerkSkewness > 0.2 && leg.verticalSkewness > 0.6 && leg.largestJerk > 0.2)
    #expect(Self.objection(to: leg) == 0)
  }

  @Test("a single such block after seconds of walking does not speak against it")
  func single() {
    var strokes = RecognisedMovement()
    for _ in 0..<20 { strokes.take(Self.features(), Self.strokes(size: -0.5), cadence: 2, weight: Tuning.recognition) }
    strokes.take(Self.features(), Self.strokes(size: 2), cadence: 2, weight: Tuning.recognition)
    #expect(strokes.objection(logCadence: Self.walking) == 0)
    for _ in 0..<60 { strokes.take(Self.features(), Self.strokes(size: 2), cadence: 2, weight: Tuning.recognition) }
    #expect(strokes.objection(logCadence: Self.walking) == Tuning.recognisedObjection)
  }

  @Test("near the limits they speak in part, so that no single value decides")
  func ramp() throws {
    // The largest jerk of these strokes in g, from one cell to the next.
    let least = Self.strokes(size: 1)
    let size = 1 / least.largestJerkInG
    let half = Self.objection(to: Self.strokes(size: size * 1.1))
    #expect(half > 0 && half < Tuning.recognisedObjection)
  }
}

extension MovementShape {
  fileprivate var largestJerkInG: Float { Float(exp(Double(largestJerk))) }
}
