@testable import StepDetection

/// The inputs of a fit: the hinges of all blocks, one row each, with mean 0 and deviation 1.
///
/// They are computed once for all fits of a cross-validation. Knots, means and deviations are those of all blocks, also
/// of the ones that a fit leaves out; they contain no class.
struct FitRows {
  /// Five knots for each feature.
  let knots: [[Float]]
  let blocks: [LabelledBlock]
  let strata: BlockStrata
  private(set) var values: [Float] = []
  private(set) var mean: [Float] = []
  private(set) var deviation: [Float] = []
  /// The number of hinges of a block.
  let width: Int

  /// - Parameters:
  ///   - given: the blocks. With `readsShape`, those without a shape are left out.
  ///   - readsShape: whether the shape of the movement is an input.
  /// - Throws: a ``ModelFitError`` if a feature is not finite.
  init(_ given: [LabelledBlock], readsShape: Bool = false) throws(ModelFitError) {
    let blocks = readsShape ? given.filter { $0.shape != nil } : given
    let features = BlockFeatures.count + (readsShape ? MovementShape.count : 0)
    if let bad = blocks.firstIndex(where: { block in
      (0..<features).contains { !block.input($0).isFinite }
    }) {
      throw .notFinite(block: bad)
    }
    self.blocks = blocks
    strata = BlockStrata(blocks)
    width = features * WalkingModel.hinges
    // Universal negatives would stretch the quantiles to where no recording is.
    let recorded = blocks.filter { $0.provenance == .recorded }
    let measured = recorded.isEmpty ? blocks : recorded
    knots = (0..<features).map { feature in Self.knots(measured.map { $0.input(feature) }) }
    values.reserveCapacity(blocks.count * width)
    for block in blocks {
      for feature in 0..<features {
        let k = knots[feature]
        let clipped = min(max(block.input(feature), k[0]), k[4])
        values.append(clipped)
        values.append(max(0, clipped - k[1]))
        values.append(max(0, clipped - k[2]))
        values.append(max(0, clipped - k[3]))
      }
    }
    standardise()
  }

  private mutating func standardise() {
    var sums = [Double](repeating: 0, count: width)
    var squares = sums
    for row in blocks.indices {
      for column in 0..<width {
        let value = Double(values[row * width + column])
        sums[column] += value
        squares[column] += value * value
      }
    }
    let n = Double(max(1, blocks.count))
    mean = [Float](repeating: 0, count: width)
    deviation = [Float](repeating: 1, count: width)
    for column in 0..<width {
      let centre = sums[column] / n
      mean[column] = Float(centre)
      // A hinge that no block reaches has no information; its slope stays near zero.
      deviation[column] = Float(max(squares[column] / n - centre * centre, 1e-10).squareRoot())
    }
    for row in blocks.indices {
      for column in 0..<width {
        let place = row * width + column
        values[place] = (values[place] - mean[column]) / deviation[column]
      }
    }
  }

  /// The ends and three knots between them, at even quantiles from 2 to 98 %, to two decimals and rising.
  static func knots(_ values: [Float]) -> [Float] {
    let sorted = values.sorted()
    var knots = (0..<WalkingModel.knotsPerFeature).map { i in
      quantile(0.02 + 0.96 * Double(i) / Double(WalkingModel.knotsPerFeature - 1), of: sorted).hundredths
    }
    for i in knots.indices.dropFirst() { knots[i] = max(knots[i], (knots[i - 1] + 0.01).hundredths) }
    return knots.map(Float.init)
  }

  /// Linear interpolation between the two nearest ranks.
  static func quantile(_ share: Double, of sorted: [Float]) -> Double {
    guard let last = sorted.last else { return 0 }
    let place = share * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return Double(last) }
    let low = Double(sorted[index])
    return low + (place - Double(index)) * (Double(sorted[index + 1]) - low)
  }
}

extension LabelledBlock {
  /// One of the inputs of the gate: the features, then those of the shape.
  fileprivate func input(_ index: Int) -> Float {
    index < BlockFeatures.count ? features.values[index] : shape?.values[index - BlockFeatures.count] ?? 0
  }
}

extension BlockFeatures {
  /// The values of the gate's features as an array.
  var list: [Float] { (0..<Self.count).map { values[$0] } }
}

extension Double {
  /// Rounded to two decimals.
  var hundredths: Double { (self * 100).rounded() / 100 }
  /// Rounded to three decimals.
  var thousandths: Float { Float((self * 1000).rounded() / 1000) }
}
