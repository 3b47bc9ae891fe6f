import Glibc

@testable import Platform
@testable import StepDetection

/// The reason why a model cannot be fitted.
enum ModelFitError: LabError, Hashable {
  case noBlocks
  /// All blocks belong to one class.
  case oneClass(isWalking: Bool)
  case notFinite(block: Int)

  var exitCode: Int32 { 65 }

  var description: String {
    switch self {
    case .noBlocks:
      "there are no blocks to fit; give longer recordings, and more than one group or data set for --leave-out"
    case .oneClass(isWalking: true): "every block is walking; add recordings with true_steps 0"
    case .oneClass(isWalking: false): "no block is walking; add recordings of walks"
    case .notFinite(let block): "the features of block \(block) are not finite; exclude that recording"
    }
  }
}

/// Fits the gate: all additive models at once, by gradient descent on the logarithmic loss of their soft minimum.
///
/// Adam (Kingma and Ba, 2015) with batches of 1024, drawn with the blocks' weights, and a step size that decreases
/// linearly to zero. The same seed and blocks give the same model on the same machine.
struct ModelFit {
  struct Settings: Sendable {
    /// The number of batches. Three times as many fit better and generalise worse.
    var steps = 3000
    /// Weight of the squared slopes, per feature of unit deviation.
    var decay: Float = 1e-3
    var rate: Float = 3e-3
    var seed: UInt64 = 1
    /// Added to the bias of the result, in log-odds: if negative, a false step costs more than a missed one.
    var trust: Float = 0
    /// The same for the model of samples without gravity.
    var trustWithoutGravity: Float = 0
    /// The same for the model of slow walks.
    var slowTrust: Float = 0
    /// The share of ``UniversalNegatives`` in the weight of what is not walking.
    var universalShare = 0.3
    /// The models that are fitted; the shipped ones are kept of the others.
    var fitted = Set(GateModel.allCases)
  }

  /// The fitted gate.
  let model: WalkingModel

  private static let batch = 1024

  /// - Parameter blocks: of both classes.
  /// - Throws: a ``ModelFitError`` when the blocks do not determine a model.
  init(to blocks: [LabelledBlock], settings: Settings = Settings()) throws(ModelFitError) {
    try self.init(to: FitRows(blocks), settings: settings) { _ in true }
  }

  /// Fits a model to some of the rows.
  init(
    to rows: FitRows, settings: Settings, including isIncluded: (LabelledBlock) -> Bool
  ) throws(ModelFitError) {
    let included = rows.blocks.indices.filter { isIncluded(rows.blocks[$0]) }
    guard let first = included.first else { throw .noBlocks }
    let isWalking = rows.blocks[first].isWalking
    guard included.contains(where: { rows.blocks[$0].isWalking != isWalking }) else {
      throw .oneClass(isWalking: isWalking)
    }
    let weights = Self.weights(of: included, in: rows.strata, universalShare: settings.universalShare)
    var search = Search(settings: settings, width: rows.width)
    search.run(rows, included, Self.cumulative(weights))
    model = search.model(rows, trust: settings.trust)
  }

  /// Each stratum has the square root of its size as its weight, times the importance of its blocks, both classes have
  /// equal weight, and the mean weight is 1.
  /// - Parameter universalShare: the share of universal negatives in the weight of what is not walking, if there are
  ///   any.
  static func weights(of included: [Int], in strata: BlockStrata, universalShare: Double = 0.3) -> [Double] {
    var sizes = [Int](repeating: 0, count: strata.count)
    for row in included { sizes[strata.numbers[row]] += 1 }
    let raw = included.map { row in
      strata.importance[row] / Double(max(1, sizes[strata.numbers[row]])).squareRoot()
    }
    var totals: [BlockStrata.Part: Double] = [:]
    for (row, weight) in zip(included, raw) { totals[strata.parts[row], default: 0] += weight }
    let half = Double(included.count) / 2
    let isMixed = totals[.universal] != nil && totals[.other] != nil
    let factors = totals.reduce(into: [BlockStrata.Part: Double]()) { factors, total in
      let share =
        switch total.key {
        case .walking: 1.0
        case .universal: isMixed ? universalShare : 1
        case .other: isMixed ? 1 - universalShare : 1
        }
      factors[total.key] = share * half / total.value
    }
    return zip(included, raw).map { row, weight in weight * (factors[strata.parts[row]] ?? 0) }
  }

  private static func cumulative(_ weights: [Double]) -> [Double] {
    var sum = 0.0
    return weights.map { weight in
      sum += weight
      return sum
    }
  }

  /// The slopes and biases during the descent.
  private struct Search {
    let settings: Settings
    private let width: Int
    /// The slopes of each hinge in the eight models, and the biases as a last row.
    private var weights: [SIMD8<Float>]
    private var mean: [SIMD8<Float>]
    private var square: [SIMD8<Float>]
    private var random: SplitMix64

    init(settings: Settings, width: Int) {
      (self.settings, self.width) = (settings, width)
      mean = [SIMD8<Float>](repeating: .zero, count: width + 1)
      square = mean
      var random = SplitMix64(seed: settings.seed)
      weights = (0..<width).map { _ in
        var row = SIMD8<Float>()
        for part in 0..<WalkingModel.parts { row[part] = 0.05 * Self.normal(&random) }
        return row
      }
      weights.append(SIMD8(repeating: 1 + log(Float(WalkingModel.parts))))
      self.random = random
    }

    /// Approximately normal: the sum of twelve uniform numbers (Irwin and Hall).
    private static func normal(_ random: inout SplitMix64) -> Float {
      (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &random) }
    }

    /// - Parameters:
    ///   - included: the rows to draw from.
    ///   - cumulative: the sums of their weights.
    mutating func run(_ rows: FitRows, _ included: [Int], _ cumulative: [Double]) {
      let steps = max(1, settings.steps)
      for step in 0..<steps {
        let drawn = (0..<batch).map { _ in
          included[
            Self.place(Double.random(in: 0..<cumulative[cumulative.count - 1], using: &random), in: cumulative)]
        }
        descend(gradient(rows, drawn), step: step, of: steps)
      }
    }

    private func gradient(_ rows: FitRows, _ drawn: [Int]) -> [SIMD8<Float>] {
      var gradient = [SIMD8<Float>](repeating: .zero, count: width + 1)
      let values = rows.values.span
      let weights = weights.span
      for row in drawn {
        // Four sums, so that an addition does not wait for the previous one.
        var (a, b, c, d) = (weights[width], SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
        let start = row * width
        for i in stride(from: 0, to: width, by: 4) {
          a += weights[i] * SIMD8(repeating: values[start + i])
          b += weights[i + 1] * SIMD8(repeating: values[start + i + 1])
          c += weights[i + 2] * SIMD8(repeating: values[start + i + 2])
          d += weights[i + 3] * SIMD8(repeating: values[start + i + 3])
        }
        let z = (a + b) + (c + d)
        let least = z.min()
        var shares = SIMD8<Float>()
        for part in 0..<WalkingModel.parts { shares[part] = exp(least - z[part]) }
        let sum = shares.sum()
        let evidence = least - log(sum)
        let error = (1 / (1 + exp(-evidence)) - (rows.blocks[row].isWalking ? 1 : 0)) / Float(batch)
        let slope = shares * SIMD8(repeating: error / sum)
        for i in 0..<width { gradient[i] += slope * SIMD8(repeating: values[start + i]) }
        gradient[width] += slope
      }
      let decay = SIMD8<Float>(repeating: settings.decay / Float(WalkingModel.parts))
      for i in 0..<width { gradient[i] += decay * weights[i] }
      return gradient
    }

    private mutating func descend(_ gradient: [SIMD8<Float>], step: Int, of steps: Int) {
      let rate = settings.rate * (1 - Float(step) / Float(steps)) + 1e-5
      let (first, second) = (1 - pow(Float(0.9), Float(step + 1)), 1 - pow(Float(0.999), Float(step + 1)))
      for i in weights.indices {
        mean[i] = mean[i] * 0.9 + gradient[i] * 0.1
        square[i] = square[i] * 0.999 + gradient[i] * gradient[i] * 0.001
        weights[i] -= (mean[i] * (rate / first)) / ((square[i] / second).squareRoot() + 1e-8)
      }
    }

    /// The first row whose cumulative weight is above a number.
    private static func place(_ number: Double, in cumulative: [Double]) -> Int {
      var (low, high) = (0, cumulative.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if cumulative[middle] > number { high = middle } else { low = middle + 1 }
      }
      return low
    }

    /// The weights in the features' units.
    func model(_ rows: FitRows, trust: Float) -> WalkingModel {
      var bias = weights[width]
      var slopes: [Float] = []
      for i in 0..<width {
        let slope = weights[i] / SIMD8(repeating: rows.deviation[i])
        for part in 0..<WalkingModel.parts { slopes.append(Double(slope[part]).thousandths) }
        bias -= slope * SIMD8(repeating: rows.mean[i])
      }
      return WalkingModel(
        knots: rows.knots.flatMap(\.self), slopes: slopes,
        bias: (0..<WalkingModel.parts).map { Double(bias[$0] + trust).thousandths })
    }
  }
}
