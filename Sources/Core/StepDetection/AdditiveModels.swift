/// Eight additive models that have to agree: each adds up the contributions of all features, and the smallest sum counts.
///
/// The contribution of a feature is a piecewise linear function with three knees, constant beyond its ends: the value is clipped
/// to the outer two of its five knots, and its contribution to a model is w₀ · c + w₁ · max(0, c − k₁) + w₂ · max(0, c − k₂) + w₃
/// · max(0, c − k₃). The minimum is soft, −ln Σ exp(−z), so that a rejection by several models counts more than by one.
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
  /// For each feature and each of its four line segments the value at zero for all models, and the slope for all models.
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
  ///   - values: the features, a multiple of four, at most 28.
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
    // In bounds by the preconditions.
    var (clipped, segments) = (PerFeature<Float>(repeating: 0), PerFeature<UInt32>(repeating: 0))
    unsafe locate(values, among: knots, clipped: &clipped, segments: &segments)
    let (places, numbers) = (segments.span, clipped.span)
    // Two features in turn, so that an addition does not wait for the previous one.
    var (even, odd) = (Totals(start), Totals(.zero))
    for feature in stride(from: 0, to: features, by: 2) {
      unsafe even.add(numbers[unchecked: feature], 4 &* feature &+ Int(places[unchecked: feature]), lines)
      let next = feature &+ 1
      unsafe odd.add(numbers[unchecked: next], 4 &* next &+ Int(places[unchecked: next]), lines)
    }
    return SIMD8(
      lowHalf: (even.low + odd.low) + (even.lowSlopes + odd.lowSlopes),
      highHalf: (even.high + odd.high) + (even.highSlopes + odd.highSlopes))
  }

  private typealias PerFeature<Element> = InlineArray<28, Element>

  /// Clips features to their outer knots, and finds the line segment of each, for four features at once: one at a time this took
  /// as long as the sums. The caller guarantees a multiple of four values, and ``knots`` numbers for each.
  @unsafe @inline(__always)
  private static func locate(
    _ values: Span<Float>, among knots: Span<Float>, clipped: inout PerFeature<Float>,
    segments: inout PerFeature<UInt32>
  ) {
    let features = values.count
    precondition(features <= clipped.count, "more features than a model has")
    var clipped = clipped.mutableSpan
    var segments = segments.mutableSpan
    for feature in stride(from: 0, to: features, by: 4) {
      let value = unsafe values.four(from: feature)
      let (least, most) = unsafe (knots.four(from: feature), knots.four(from: feature &+ 4 &* features))
      let raised = value.replacing(with: least, where: value .< least)
      let four = raised.replacing(with: most, where: raised .> most)
      // The number of inner knots below the value selects the segment.
      var segment = SIMD4<UInt32>.zero
      for knot in 1...3 {
        let isAbove = unsafe four .> knots.four(from: feature &+ knot &* features)
        segment = segment.replacing(with: segment &+ 1, where: isAbove)
      }
      unsafe clipped.write(four, at: feature)
      unsafe segments.write(segment, at: feature)
    }
  }

  /// The contributions of some features to all models, as pairs of vectors of four, which the processor has.
  private struct Totals {
    var low: SIMD4<Float>
    var high: SIMD4<Float>
    var lowSlopes = SIMD4<Float>.zero
    var highSlopes = SIMD4<Float>.zero

    @inline(__always)
    init(_ start: SIMD8<Float>) { (low, high) = (start.lowHalf, start.highHalf) }

    /// One feature at a time: over vectors of four features, the compiler splits the products into lanes. The caller
    /// guarantees the bounds.
    @unsafe @inline(__always)
    mutating func add(_ clipped: Float, _ segment: Int, _ lines: Span<Float>) {
      let place = 2 &* models &* segment
      low += unsafe lines.four(from: place)
      high += unsafe lines.four(from: place &+ 4)
      let factor = SIMD4(repeating: clipped)
      lowSlopes += unsafe factor * lines.four(from: place &+ models)
      highSlopes += unsafe factor * lines.four(from: place &+ models &+ 4)
    }
  }

  /// The smallest lane. Swift's own `min()` of a vector is a call and eight branches.
  @inline(__always)
  static func least(of z: SIMD8<Float>) -> Float {
    let four = z.lowHalf.replacing(with: z.highHalf, where: z.highHalf .< z.lowHalf)
    let (x, y) = (four.z < four.x ? four.z : four.x, four.w < four.y ? four.w : four.y)
    return y < x ? y : x
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
    let top = SIMD4(repeating: least)
    let sums = (top - z.lowHalf).fastExp + (top - z.highHalf).fastExp
    return (least - fastLog((sums.x + sums.y) + (sums.z + sums.w)), Int(model))
  }
}

extension SIMD4<Float> {
  /// eˣ for x ≤ 0, to 4 parts in a million; below −87 the result stays at its smallest, negligible value.
  ///
  /// x/ln 2 is split into an integer, which becomes the exponent, and a fraction, whose power of two is a Taylor
  /// series. Adding 1.5 · 2²³ rounds to an integer and leaves it in the lowest bits.
  @inline(__always)
  fileprivate var fastExp: SIMD4<Float> {
    let scaled = self * SIMD4(repeating: 1.442_695_04)
    let power = scaled.replacing(with: -126, where: scaled .< -126)
    let magic = SIMD4<Float>(repeating: 12_582_912)
    let shifted = power + magic
    let r = power - (shifted - magic)
    var series = r * SIMD4(repeating: 0.001_333_36) + SIMD4(repeating: 0.009_618_13)
    series = series * r + SIMD4(repeating: 0.055_504_11)
    series = series * r + SIMD4(repeating: 0.240_226_51)
    series = series * r + SIMD4(repeating: 0.693_147_18)
    series = series * r + SIMD4(repeating: 1)
    let exponent = unsafe unsafeBitCast(shifted, to: SIMD4<UInt32>.self) &<< SIMD4<UInt32>(repeating: 23)
    return unsafe unsafeBitCast(
      unsafeBitCast(series, to: SIMD4<UInt32>.self) &+ exponent, to: SIMD4<Float>.self)
  }
}
