import StepDetection

/// A block whose class is known.
struct LabelledBlock {
  var features: BlockFeatures
  var isWalking: Bool
  /// Data set and activity: what must not outvote the others by being long.
  var stratum: String
  var dataset: String
  var person: String?
  var family: String

  /// A block quieter than this (r.m.s. of the magnitude in g) teaches nothing: hands rest while walking, too.
  static let smallestAmplitude: Float = 0.02
  /// Seconds off both ends of a bout of true strikes: a window reaches about that far.
  static let strikeMargin = 0.8
  /// Strikes further apart than this, in seconds, belong to two bouts; a shorter pause or turn is part of a walk, since the
  /// detector should bridge it.
  static let boutGap = 15.0
  /// Seconds off both ends of a walk whose strikes are not known.
  static let walkMargin = 3.0
  /// The same of a walk that lasts up to ``shortWalk`` seconds.
  static let shortWalkMargin = 1.2
  static let shortWalk = 20.0
  /// In such a walk, blocks whose stride score, averaged over nine blocks, is not above this may be pauses.
  static let surelyRepeating: Float = 0.55
  /// The same of a walk that nobody counted, stairs and jogging among them.
  static let probablyRepeating: Float = 0.3

  /// The blocks of a recording that are surely one or the other.
  /// - Parameter strikes: the true foot strikes in seconds since the first sample, rising; `nil` if they are not known.
  static func all(in run: DetectorRun, of entry: RecordingIndex.Entry, strikes: [Double]?) -> [LabelledBlock] {
    let bouts = strikes.map(Self.bouts)
    let margin = run.duration > shortWalk ? walkMargin : shortWalkMargin
    var blocks: [LabelledBlock] = []
    for (i, seen) in run.blocks.enumerated() where seen.block.features.amplitude > smallestAmplitude {
      if entry.isWalk {
        let isSure =
          bouts.map { $0.contains { $0.contains(seen.centre) } }
          ?? (seen.centre >= margin && seen.centre <= run.duration - margin
            && meanScore(around: i, in: run) > (entry.trueSteps == nil ? probablyRepeating : surelyRepeating))
        if !isSure { continue }
      }
      blocks.append(
        LabelledBlock(
          features: seen.block.features, isWalking: entry.isWalk,
          stratum: "\(entry.dataset)|\(entry.activity)", dataset: entry.dataset, person: entry.person,
          family: entry.family))
    }
    return blocks
  }

  /// From a little after a bout's first strike to a little before its last.
  private static func bouts(_ strikes: [Double]) -> [ClosedRange<Double>] {
    var bouts: [ClosedRange<Double>] = []
    var first = 0
    for i in strikes.indices where i + 1 == strikes.count || strikes[i + 1] - strikes[i] > boutGap {
      let (begin, end) = (strikes[first] + strikeMargin, strikes[i] - strikeMargin)
      if begin <= end { bouts.append(begin...end) }
      first = i + 1
    }
    return bouts
  }

  private static func meanScore(around index: Int, in run: DetectorRun) -> Float {
    let range = max(0, index - 4)...min(run.blocks.count - 1, index + 4)
    return run.blocks[range].reduce(0) { $0 + $1.block.features.strideScore } / Float(range.count)
  }
}
