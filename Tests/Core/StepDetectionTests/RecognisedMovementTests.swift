import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Sharp strokes upwards", .timeLimit(.minutes(30)))
struct UpwardStrokesTests {
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
    to shape: MovementShape, blocks: Int = 20, logCadence: Float = walking
  ) -> Float {
    var strokes = UpwardStrokes()
    for _ in 0..<blocks { strokes.take(shape, weight: Tuning.strokeTracking) }
    return strokes.objection(logCadence: logCadence)
  }

  @Test("strokes that pull up sharply speak against walking")
  func upwards() {
    #expect(Self.objection(to: Self.strokes(size: 2)) == Tuning.strokeObjection)
  }

  @Test("nothing speaks against walking before a block was seen")
  func empty() {
    #expect(UpwardStrokes().objection(logCadence: Self.walking) == 0)
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
    var strokes = UpwardStrokes()
    for _ in 0..<20 { strokes.take(Self.strokes(size: -0.5), weight: Tuning.strokeTracking) }
    strokes.take(Self.strokes(size: 2), weight: Tuning.strokeTracking)
    #expect(strokes.objection(logCadence: Self.walking) == 0)
    for _ in 0..<60 { strokes.take(Self.strokes(size: 2), weight: Tuning.strokeTracking) }
    #expect(strokes.objection(logCadence: Self.walking) == Tuning.strokeObjection)
  }

  @Test("near the limits they speak in part, so that no single value decides")
  func ramp() throws {
    // The largest jerk of these strokes in g, from one cell to the next.
    let least = Self.strokes(size: 1)
    let size = 1 / least.largestJerkInG
    let half = Self.objection(to: Self.strokes(size: size * 1.1))
    #expect(half > 0 && half < Tuning.strokeObjection)
  }
}

extension MovementShape {
  fileprivate var largestJerkInG: Float { Float(exp(Double(largestJerk))) }
}
