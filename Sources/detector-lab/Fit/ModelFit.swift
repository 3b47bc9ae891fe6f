import Glibc
import Recordings
import StepDetection

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
    /// The number of passes, each over as many blocks as there are.
    var epochs = 14
    /// Weight of the squared slopes, per feature of unit deviation.
    var decay: Float = 1e-3
    var rate: Float = 3e-3
    var seed: UInt64 = 1
    /// Added to the bias of the result, in log-odds: if negative, a false step costs more than a missed one.
    var trust: Float = 0
    /// The same for the model of slow walks.
    var slowTrust: Float = 0
  }

  /// The fitted gate.
  let model: WalkingModel

  private static let width = BlockFeatures.count * WalkingModel.hinges
  private static let batch = 1024

  /// - Parameter blocks: of both classes.
  /// - Throws: a ``ModelFitError`` when the blocks do not determine a model.
  init(to blocks: [LabelledBlock], settings: Settings = Settings()) throws(ModelFitError) {
    guard let first = blocks.first else { throw .noBlocks }
    guard blocks.contains(where: { $0.isWalking != first.isWalking }) else {
      throw .oneClass(isWalking: first.isWalking)
    }
    if let bad = blocks.firstIndex(where: { $0.features.list.contains { !$0.isFinite } }) {
      throw .notFinite(block: bad)
    }
    let knots = (0..<BlockFeatures.count).map { feature in Self.knots(blocks.map { $0.features.list[feature] }) }
    let rows = Rows(blocks, knots)
    var search = Search(settings: settings)
    search.run(rows, Self.cumulative(Self.weights(of: blocks)))
    model = search.model(rows, knots, trust: settings.trust)
  }

  /// Each stratum has the square root of its size as its weight, both classes have equal weight, and the mean weight is
  /// 1.
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

  private static func cumulative(_ weights: [Double]) -> [Double] {
    var sum = 0.0
    return weights.map { weight in
      sum += weight
      return sum
    }
  }

  /// The ends and three knots between them, at even quantiles from 2 to 98 %, to two decimals and rising.
  static func knots(_ values: [Float]) -> [Float] {
    let sorted = values.map(Double.init).sorted()
    var knots = (0..<WalkingModel.knotsPerFeature).map { i in
      quantile(0.02 + 0.96 * Double(i) / Double(WalkingModel.knotsPerFeature - 1), of: sorted).hundredths
    }
    for i in knots.indices.dropFirst() { knots[i] = max(knots[i], (knots[i - 1] + 0.01).hundredths) }
    return knots.map(Float.init)
  }

  /// Linear interpolation between the two nearest ranks.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    guard let last = sorted.last else { return 0 }
    let place = share * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
  }

  /// The hinges of all blocks, one row each, with mean 0 and deviation 1.
  private struct Rows {
    var values: [Float] = []
    var isWalking: [Float]
    var mean = [Float](repeating: 0, count: width)
    var deviation = [Float](repeating: 1, count: width)

    init(_ blocks: [LabelledBlock], _ knots: [[Float]]) {
      isWalking = blocks.map { $0.isWalking ? 1 : 0 }
      values.reserveCapacity(blocks.count * width)
      for block in blocks {
        for (value, k) in zip(block.features.list, knots) {
          let clipped = min(max(value, k[0]), k[4])
          values += [clipped, max(0, clipped - k[1]), max(0, clipped - k[2]), max(0, clipped - k[3])]
        }
      }
      for column in 0..<width {
        var (sum, squares) = (0.0, 0.0)
        for row in blocks.indices {
          let value = Double(values[row * width + column])
          sum += value
          squares += value * value
        }
        let n = Double(blocks.count)
        mean[column] = Float(sum / n)
        // A hinge that no block reaches has no information; its slope stays near zero.
        deviation[column] = Float(max(squares / n - (sum / n) * (sum / n), 1e-10).squareRoot())
        for row in blocks.indices {
          values[row * width + column] = (values[row * width + column] - mean[column]) / deviation[column]
        }
      }
    }
  }

  /// The slopes and biases during the descent.
  private struct Search {
    let settings: Settings
    /// The slopes of each hinge in the eight models, and the biases as a last row.
    private var weights: [SIMD8<Float>]
    private var mean = [SIMD8<Float>](repeating: .zero, count: width + 1)
    private var square = [SIMD8<Float>](repeating: .zero, count: width + 1)
    private var random: SplitMix64

    init(settings: Settings) {
      self.settings = settings
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

    mutating func run(_ rows: Rows, _ cumulative: [Double]) {
      let steps = max(1, settings.epochs * cumulative.count / batch)
      for step in 0..<steps {
        let gradient = gradient(rows, cumulative)
        descend(gradient, step: step, of: steps)
      }
    }

    private mutating func gradient(_ rows: Rows, _ cumulative: [Double]) -> [SIMD8<Float>] {
      var gradient = [SIMD8<Float>](repeating: .zero, count: width + 1)
      for _ in 0..<batch {
        let row = Self.place(Double.random(in: 0..<cumulative[cumulative.count - 1], using: &random), in: cumulative)
        var z = weights[width]
        let start = row * width
        for i in 0..<width { z += weights[i] * SIMD8(repeating: rows.values[start + i]) }
        let least = z.min()
        var shares = SIMD8<Float>()
        for part in 0..<WalkingModel.parts { shares[part] = exp(least - z[part]) }
        let sum = shares.sum()
        let evidence = least - log(sum)
        let error = (1 / (1 + exp(-evidence)) - rows.isWalking[row]) / Float(batch)
        let slope = shares * SIMD8(repeating: error / sum)
        for i in 0..<width { gradient[i] += slope * SIMD8(repeating: rows.values[start + i]) }
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
    func model(_ rows: Rows, _ knots: [[Float]], trust: Float) -> WalkingModel {
      var bias = weights[width]
      var slopes: [Float] = []
      for i in 0..<width {
        let slope = weights[i] / SIMD8(repeating: rows.deviation[i])
        for part in 0..<WalkingModel.parts { slopes.append(Double(slope[part]).thousandths) }
        bias -= slope * SIMD8(repeating: rows.mean[i])
      }
      return WalkingModel(
        knots: knots.flatMap(\.self), slopes: slopes,
        bias: (0..<WalkingModel.parts).map { Double(bias[$0] + trust).thousandths })
    }
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
  fileprivate var thousandths: Float { Float((self * 1000).rounded() / 1000) }
}
