@testable import StepDetection

/// A block with its true class.
struct LabelledBlock {
  var features: BlockFeatures
  /// The shape of the movement, if gravity was measured.
  var shape: MovementShape?
  var isWalking: Bool
  /// The data set and activity, whose weight in the fit grows only with the square root of its size.
  var stratum: String
  /// Multiplies its weight in the fit.
  var importance = 1.0
  /// The number of the recording, which leaves the fit with all its copies; `nil` for synthetic examples.
  var recording: Int?
  var provenance = Provenance.recorded

  /// Where a block comes from.
  enum Provenance {
    case recorded
    /// An altered copy of a recording; see ``AlteredCopy``.
    case altered
    /// A synthetic walk, or another movement of the generator.
    case synthetic
    /// A movement that is certainly no gait; see ``UniversalNegatives``.
    case universal
  }

  /// Blocks with less than this r.m.s. magnitude in g are not used, since hands also rest while walking.
  static let smallestAmplitude: Float = 0.02
  /// Seconds excluded at both ends of a bout of true strikes, about the reach of a window.
  static let strikeMargin = 0.8
  /// Strikes further apart than this, in seconds, belong to different bouts; a shorter pause or turn is part of a walk,
  /// since the detector should bridge it.
  static let boutGap = 15.0
  /// Seconds excluded at both ends of a walk without known strikes.
  static let walkMargin = 3.0
  /// The same for a walk of up to ``shortWalk`` seconds.
  static let shortWalkMargin = 1.2
  static let shortWalk = 20.0
  /// In such a walk, blocks with a stride score, averaged over nine blocks, of at most this may be pauses.
  static let surelyRepeating: Float = 0.55
  /// The same for a walk without a reference count, including stairs and jogging.
  static let probablyRepeating: Float = 0.3

  /// The blocks of a recording with a certain class.
  /// - Parameter strikes: the true foot strikes in seconds since the first sample, rising; `nil` if unknown.
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
          features: seen.block.features, shape: seen.block.shape, isWalking: entry.isWalk, stratum: entry.stratum))
    }
    return blocks
  }

  /// From shortly after a bout's first strike to shortly before its last.
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

  /// The blocks of a recording in the longer window: certainly slow walking, and certainly not.
  ///
  /// A faster walk does not count as slow: its double stride would be counted.
  /// - Parameter strikes: as for ``all(in:of:strikes:)``.
  static func slow(in run: DetectorRun, of entry: RecordingIndex.Entry, strikes: [Double]?) -> [LabelledBlock] {
    var blocks: [LabelledBlock] = []
    var (from, to) = (0, 0)
    for seen in run.blocks {
      guard let features = seen.block.slowFeatures, features.amplitude > smallestSlowAmplitude else { continue }
      var isWalking = false
      if entry.isWalk {
        guard let strikes else { continue }
        let centre = seen.centre - slowDelay
        while to < strikes.count, strikes[to] <= centre + slowReach { to += 1 }
        while from < to, strikes[from] < centre - slowReach { from += 1 }
        guard to - from > 1 else { continue }
        let cadence = Double(to - from - 1) / (strikes[to - 1] - strikes[from])
        // Between the two limits the class is ambiguous.
        if cadence > slowest && cadence < fastest { continue }
        let isInside = centre - strikes[from] > 0.5 * slowReach && strikes[to - 1] - centre > 0.5 * slowReach
        guard isInside else { continue }
        isWalking = cadence <= slowest
      }
      blocks.append(
        LabelledBlock(features: features, shape: seen.block.slowShape, isWalking: isWalking, stratum: entry.stratum))
    }
    return blocks
  }

  /// From the centre of the longer window to that of the ordinary one, and half its length, in seconds.
  private static let (slowDelay, slowReach) = (0.96, 2.4)
  private static let smallestSlowAmplitude: Float = 0.007
  /// Steps a second up to which a walk is slow, and from which it is not.
  private static let (slowest, fastest) = (1.15, 1.4)

  private static func meanScore(around index: Int, in run: DetectorRun) -> Float {
    let range = max(0, index - 4)...min(run.blocks.count - 1, index + 4)
    return run.blocks[range].reduce(0) { $0 + $1.block.features.strideScore } / Float(range.count)
  }
}
