import Glibc

@testable import StepDetection

/// How well a gate separates the two classes, block by block, with the weights of the fit.
struct Separation {
  /// The probability that a walking block has more evidence than another one (area under the ROC curve).
  let area: Double
  /// Mean logarithmic loss, in nats.
  let loss: Double
  /// Shares of walking blocks with evidence above zero, and of others with evidence not above it.
  let sensitivity: Double
  let specificity: Double

  init(of gate: WalkingModel, on blocks: [LabelledBlock]) {
    let weights = ModelFit.weights(of: Array(blocks.indices), in: BlockStrata(blocks))
    let judged = zip(blocks, weights)
      .map { (evidence: Double(gate.evidence(of: $0)), isWalking: $0.isWalking, weight: $1) }
      .sorted { $0.evidence < $1.evidence }
    var (walking, other, walkingAbove, otherBelow, lossSum, wins) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var index = 0
    while index < judged.count {
      // Blocks of the same evidence count half.
      let tied = judged[index...].prefix { $0.evidence == judged[index].evidence }
      let gain = tied.reduce(0) { $0 + ($1.isWalking ? $1.weight : 0) }
      let rest = tied.reduce(0) { $0 + ($1.isWalking ? 0 : $1.weight) }
      wins += gain * (other + rest / 2)
      walking += gain
      other += rest
      for block in tied {
        let margin = block.isWalking ? block.evidence : -block.evidence
        lossSum += block.weight * (max(0, -margin) + log1p(exp(-abs(margin))))
        if block.isWalking, block.evidence > 0 { walkingAbove += block.weight }
        if !block.isWalking, block.evidence <= 0 { otherBelow += block.weight }
      }
      index = tied.endIndex
    }
    area = wins / (walking * other)
    loss = lossSum / (walking + other)
    sensitivity = walkingAbove / walking
    specificity = otherBelow / other
  }

  /// How similar two gates are.
  /// - Returns: the correlation of their evidence, the mean of its absolute difference, and the share of blocks that
  ///   both put on the same side of zero.
  static func agreement(_ a: WalkingModel, _ b: WalkingModel, on blocks: [LabelledBlock]) -> (
    correlation: Double, difference: Double, sameSide: Double
  ) {
    let pairs = blocks.map { (Double(a.evidence(of: $0)), Double(b.evidence(of: $0))) }
    let n = Double(pairs.count)
    let mean = (pairs.reduce(0) { $0 + $1.0 } / n, pairs.reduce(0) { $0 + $1.1 } / n)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for (x, y) in pairs {
      xx += (x - mean.0) * (x - mean.0)
      xy += (x - mean.0) * (y - mean.1)
      yy += (y - mean.1) * (y - mean.1)
    }
    return (
      xy / (xx * yy).squareRoot(), pairs.reduce(0) { $0 + abs($1.0 - $1.1) } / n,
      Double(pairs.count { ($0.0 > 0) == ($0.1 > 0) }) / n
    )
  }
}

extension WalkingModel {
  /// The log-odds that a block is walking.
  fileprivate func evidence(of block: LabelledBlock) -> Float {
    evidence(of: block.features, shape: block.shape.map { contribution(of: $0) } ?? .zero)
  }
}
