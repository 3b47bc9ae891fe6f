/// Eight additive models that have to agree: each adds up the contributions of all features, and the smallest sum
/// counts.
///
/// The contribution of a feature is a piecewise linear function with three knees, constant beyond its ends: the value
/// is clipped to the outer two of its five knots, and its contribution to a model is w₀ · c + w₁ · max(0, c − k₁) + w₂
/// · max(0, c − k₂) + w₃ · max(0, c − k₃). The minimum is soft, −ln Σ exp(−z), so that a rejection by several models
/// counts more than by one.
///
/// The fit produces those weights. The evaluation uses the equivalent four line segments between the knots, of which
/// only one is needed; ``lines(knots:hinges:)`` converts the weights. All models share a vector, so a feature costs one
/// multiplication and two additions of eight numbers.
package enum AdditiveModels {
  package static let models = 8
  /// For each feature: the first knot of all features, then the second of all, up to the fifth.
  package static let knots = 5
  /// For each feature the slope below its second knot, and the changes of slope at its second, third and fourth, each for
  /// all models.
  package static let hinges = 4 * models
  /// For each feature and each of its four line segments the value at zero for all models, and the slope for all
  /// models.
  package static let lines = 2 * 4 * models

  /// Converts fitted weights to line segments.
  /// - Parameters:
  ///   - knots: ``knots`` numbers for each feature, rising.
  ///   - hinges: ``hinges`` weights for each feature.
  /// - Returns: ``lines`` numbers for each feature.
  package static func lines(knots: [Float], hinges: [Float]) -> [Float] {
    let features = knots.count / Self.knots
    precondition(knots.count == Self.knots * features && hinges.count == Self.hinges * features)
    var lines: [Float] = []
    for feature in 0..<features {
      var values = [Double](repeating: 0, count: models)
      var slopes = values
      for line in 0..<4 {
        for model in 0..<models {
          let change = Double(hinges[(4 * feature + line) * models + model])
          slopes[model] += change
          if line > 0 { values[model] -= change * Double(knots[features * line + feature]) }
        }
        lines += values.map { Float($0) } + slopes.map { Float($0) }
      }
    }
    return lines
  }

  /// The sum of each model for one block.
  ///
  /// Not inlined: if the compiler sees that single lanes of the sums are used, it splits up all the arithmetic, and the
  /// loop takes three times as long.
  /// - Parameters:
  ///   - values: the features, a multiple of four.
  ///   - knots: ``knots`` numbers for each feature, rising.
  ///   - lines: ``lines`` numbers for each feature.
  ///   - start: the sum to begin with: the constant terms of the models, or the sums over other features.
  @inline(never)
  static func sums(
    _ values: Span<Float>, knots: Span<Float>, lines: Span<Float>, from start: SIMD8<Float>
  ) -> SIMD8<Float> {
    let features = values.count
    precondition(models == 8 && features.isMultiple(of: 4), "four features at once, for eight models")
    precondition(knots.count == Self.knots &* features && lines.count == Self.lines &* features)
    // In bounds by the preconditions. Four sums, so that an addition does not wait for the previous one.
    var (constants, others) = (start, SIMD8<Float>.zero)
    var (slopes, otherSlopes) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for first in stride(from: 0, to: features, by: 4) {
      let value = unsafe values.four(from: first)
      let (low, high) = unsafe (knots.four(from: first), knots.four(from: first &+ 4 &* features))
      let raised = value.replacing(with: low, where: value .< low)
      let clipped = raised.replacing(with: high, where: raised .> high)
      // The number of inner knots below the value selects the line.
      let one = SIMD4<Int32>(repeating: 1)
      let line =
        unsafe SIMD4<Int32>.zero
        .replacing(with: one, where: clipped .> knots.four(from: first &+ features))
        &+ SIMD4<Int32>.zero.replacing(with: one, where: clipped .> knots.four(from: first &+ 2 &* features))
        &+ SIMD4<Int32>.zero.replacing(with: one, where: clipped .> knots.four(from: first &+ 3 &* features))
      let lanes = 8 &* models
      let place = lanes &* first
      let (x, y) = (place &+ 2 &* models &* Int(line.x), place &+ lanes &+ 2 &* models &* Int(line.y))
      let (z, w) = (
        place &+ 2 &* lanes &+ 2 &* models &* Int(line.z), place &+ 3 &* lanes &+ 2 &* models &* Int(line.w)
      )
      constants += unsafe lines.eight(from: x)
      others += unsafe lines.eight(from: y)
      slopes += unsafe SIMD8(repeating: clipped.x) * lines.eight(from: x &+ models)
      otherSlopes += unsafe SIMD8(repeating: clipped.y) * lines.eight(from: y &+ models)
      constants += unsafe lines.eight(from: z)
      others += unsafe lines.eight(from: w)
      slopes += unsafe SIMD8(repeating: clipped.z) * lines.eight(from: z &+ models)
      otherSlopes += unsafe SIMD8(repeating: clipped.w) * lines.eight(from: w &+ models)
    }
    return (constants + others) + (slopes + otherSlopes)
  }

  /// −ln Σ exp(−z), and the lane of the smallest z.
  @inline(__always)
  static func softMinimum(_ z: SIMD8<Float>) -> (evidence: Float, model: Int) {
    // Without branches, which would be unpredictable: the smaller of each pair, three times.
    let isUpper = z.highHalf .< z.lowHalf
    let four = z.lowHalf.replacing(with: z.highHalf, where: isUpper)
    let lanes = SIMD4<Int32>(0, 1, 2, 3).replacing(with: SIMD4(4, 5, 6, 7), where: isUpper)
    let (x, y) = (
      four.z < four.x ? (four.z, lanes.z) : (four.x, lanes.x), four.w < four.y ? (four.w, lanes.w) : (four.y, lanes.y)
    )
    let (least, model) = y.0 < x.0 ? y : x
    let parts = (SIMD8(repeating: least) - z).fastExp
    let sums = parts.lowHalf + parts.highHalf
    return (least - fastLog((sums.x + sums.y) + (sums.z + sums.w)), Int(model))
  }
}

extension SIMD8<Float> {
  /// eˣ for x ≤ 0, to 4 parts in a million; below −87 the result stays at its smallest, negligible value.
  ///
  /// x/ln 2 is split into an integer, which becomes the exponent, and a fraction, whose power of two is a Taylor
  /// series. Adding 1.5 · 2²³ rounds to an integer and leaves it in the lowest bits.
  @inline(__always)
  fileprivate var fastExp: SIMD8<Float> {
    let scaled = self * SIMD8(repeating: 1.442_695_04)
    let power = scaled.replacing(with: -126, where: scaled .< -126)
    let magic = SIMD8<Float>(repeating: 12_582_912)
    let shifted = power + magic
    let r = power - (shifted - magic)
    var series = r * SIMD8(repeating: 0.001_333_36) + SIMD8(repeating: 0.009_618_13)
    series = series * r + SIMD8(repeating: 0.055_504_11)
    series = series * r + SIMD8(repeating: 0.240_226_51)
    series = series * r + SIMD8(repeating: 0.693_147_18)
    series = series * r + SIMD8(repeating: 1)
    let exponent = unsafe unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &<< SIMD8<UInt32>(repeating: 23)
    return unsafe unsafeBitCast(
      unsafeBitCast(series, to: SIMD8<UInt32>.self) &+ exponent, to: SIMD8<Float>.self)
  }
}

extension Span<Float> {
  /// Eight consecutive values from an index. The caller guarantees the bounds.
  @unsafe @inline(__always)
  fileprivate func eight(from index: Int) -> SIMD8<Float> {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD8<Float>.self)
  }
}
