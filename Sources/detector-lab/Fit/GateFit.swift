import StepDetection

/// Fits the gate: logistic regression on piecewise-linear terms of the five features.
struct GateFit {
  /// The gate, its constants rounded as they are written down.
  let gate: TrialGate
  /// The same before rounding.
  let exact: TrialGate

  /// Knots and upper clip points that are set by hand, whatever the quantiles say: a foot's impacts lie far above what
  /// other activities reach, so a knot at the median would let walkers' feet alone fix the slope above it, and the gate
  /// would fail on feet when it has seen none.
  static let setByHand: [String: (knot: Double, high: Double)] = [
    "logAmplitude": (-2.3, -1.2), "logShare": (-0.7, -0.25),
  ]

  /// - Parameters:
  ///   - blocks: of both classes.
  ///   - inversePenalty: C of the regression.
  /// - Throws: a ``LogisticRegressionError`` when the blocks do not determine a gate.
  init(to blocks: [LabelledBlock], inversePenalty: Double = 0.3) throws(LogisticRegressionError) {
    let columns = (0..<5).map { term in blocks.map { $0.features.terms[term] } }
    let shapes = zip(BlockFeatures.termNames, columns).map { Self.shape(name: $0, values: $1) }
    let hinges = blocks.map { block in
      zip(shapes, block.features.terms).flatMap { shape, value in
        let clipped = min(max(value, shape.low), shape.high)
        return [min(clipped, shape.knot), max(0, clipped - shape.knot)]
      }
    }
    let scaling = Self.scaling(hinges)
    let regression = try LogisticRegression(
      rows: hinges.map { row in row.indices.map { (row[$0] - scaling[$0].mean) / scaling[$0].deviation } },
      isPositive: blocks.map(\.isWalking), sampleWeights: Self.weights(of: blocks), inversePenalty: inversePenalty)
    let slopes = regression.weights.indices.map { regression.weights[$0] / scaling[$0].deviation }
    let bias = regression.intercept - slopes.indices.reduce(0) { $0 + slopes[$1] * scaling[$1].mean }
    exact = TrialGate(
      bias: bias,
      terms: shapes.indices.map { i in
        var term = shapes[i]
        (term.below, term.above) = (slopes[2 * i], slopes[2 * i + 1])
        return term
      })
    gate = TrialGate(
      bias: bias.hundredths,
      terms: exact.terms.map {
        TrialGate.Term(
          name: $0.name, low: $0.low, knot: $0.knot, high: $0.high, below: $0.below.hundredths,
          above: $0.above.hundredths)
      })
  }

  /// Each stratum weighs as the root of its size, both classes weigh alike, and the mean weight is 1.
  static func weights(of blocks: [LabelledBlock]) -> [Double] {
    var sizes: [String: Int] = [:]
    for block in blocks { sizes["\(block.stratum)|\(block.isWalking)", default: 0] += 1 }
    let raw = blocks.map { 1 / Double(sizes["\($0.stratum)|\($0.isWalking)"] ?? 1).squareRoot() }
    var totals = (walking: 0.0, other: 0.0)
    for (block, weight) in zip(blocks, raw) {
      if block.isWalking { totals.walking += weight } else { totals.other += weight }
    }
    let half = Double(blocks.count) / 2
    return zip(blocks, raw).map { $1 * half / ($0.isWalking ? totals.walking : totals.other) }
  }

  /// Clip points and knot, to two decimals.
  private static func shape(name: String, values: [Double]) -> TrialGate.Term {
    let sorted = values.sorted()
    let hand = setByHand[name]
    let low = quantile(0.01, of: sorted).hundredths
    // What is set by hand may lie outside of what these recordings hold; the three stay in order.
    let knot = max(low, hand?.knot ?? quantile(0.5, of: sorted).hundredths)
    let high = max(knot, hand?.high ?? quantile(0.99, of: sorted).hundredths)
    return TrialGate.Term(name: name, low: low, knot: knot, high: high, below: 0, above: 0)
  }

  /// By a straight line between the two nearest ranks.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    guard let last = sorted.last else { return 0 }
    let place = share * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
  }

  private static func scaling(_ rows: [[Double]]) -> [(mean: Double, deviation: Double)] {
    let n = Double(rows.count)
    return (0..<10).map { column in
      let mean = rows.reduce(0) { $0 + $1[column] } / n
      let variance = rows.reduce(0) { $0 + ($1[column] - mean) * ($1[column] - mean) } / n
      // a hinge that no block reaches says nothing; its weight stays zero
      return (mean, variance > 1e-12 ? variance.squareRoot() : 1)
    }
  }
}

extension Double {
  /// To two decimals.
  var hundredths: Double { (self * 100).rounded() / 100 }
}
