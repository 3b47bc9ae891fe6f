import Accelerometry
import Pedometry

/// A walker's own walk with a sensor at one place, as the gate sees it: the features of a few blocks of a learned minute, from which
/// no recording can be restored.
///
/// ``WalkLearner`` makes one; ``WalkRecognition/learned(_:)`` uses it. It holds what the gate reads and not what the gate
/// makes of it, so another fit of the gate can use it, too.
public struct WalkProfile: Sendable, Hashable {
  /// For each block the features of its rhythm and, unless gravity was removed, those of its shape.
  package let examples: [[Float]]

  /// The most examples. With 16 instead of 24, a tenth more false steps; with 64 no fewer.
  package static let mostExamples = 24

  /// - Returns: `nil` without examples, or if they are not of one kind or not finite.
  package init?(examples: [[Float]]) {
    guard let first = examples.first, Self.counts.contains(first.count),
      examples.allSatisfy({ $0.count == first.count && $0.allSatisfy { $0.isFinite } })
    else { return nil }
    self.examples = examples
  }

  private static let counts = [BlockFeatures.count, BlockFeatures.count + MovementShape.count]

  /// Differs for different profiles: 16 hexadecimal digits (FNV-1a).
  package var fingerprint: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for value in examples.joined() { hash = (hash ^ UInt64(value.bitPattern)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Whether gravity was removed from the samples.
  public var lacksGravity: Bool { examples[0].count == BlockFeatures.count }
}

/// What a learned walk forgives: each of the gate's models may object to a walker's own walk, and objects less to what resembles it.
///
/// The objection of a model to the learned examples is added to its sum, in full if the mean of the latest blocks is that of the
/// examples, and not at all from a distance on. What the other models object to remains: of movements that resemble the walk
/// in its rhythm, few do in all.
struct LearnedWalk: Sendable {
  private let lacksGravity: Bool
  /// The means of the features of the rhythm.
  private var centre = InlineArray<20, Float>(repeating: 0)
  /// What is added to each model.
  private let relief: SIMD8<Float>
  /// The mean of the latest blocks, and their number since the last rest.
  private var latest = InlineArray<20, Float>(repeating: 0)
  private var blocks: Float = 0

  init(_ profile: WalkProfile, models: GateModels) {
    lacksGravity = profile.lacksGravity
    let model = lacksGravity ? models.withoutGravity : models.ordinary
    let sums = profile.examples.map { model.sums(of: $0) }
    var relief = SIMD8<Float>.zero
    for part in 0..<WalkingModel.parts {
      let low = sums.map { $0[part] }.sorted()[sums.count / Tuning.learnedRarity]
      relief[part] = min(max(0, Tuning.learnedEvidence - low), Tuning.mostRelief)
    }
    self.relief = relief
    for i in centre.indices {
      centre[i] = profile.examples.reduce(0) { $0 + $1[i] } / Float(profile.examples.count)
    }
  }

  /// A block too quiet for steps.
  mutating func rest() { blocks = 0 }

  /// What to add to the sums of the models for a block.
  mutating func relief(for features: BlockFeatures, lacksGravity: Bool) -> SIMD8<Float> {
    let values = features.values
    blocks += 1
    let weight = max(Tuning.learnedTracking, 1 / blocks)
    var distance: Float = 0
    for i in latest.indices {
      latest[i] += weight * (values[i] - latest[i])
      let deviation = (latest[i] - centre[i]) / Tuning.spreadOfWalks[i]
      distance += deviation * deviation
    }
    if lacksGravity != self.lacksGravity || blocks < Tuning.fewestLearnedBlocks { return .zero }
    let share = 1 - distance / (Float(latest.count) * Tuning.learnedRadius)
    return share > 0 ? SIMD8(repeating: share) * relief : .zero
  }
}

/// Learns a walker's own walk from a recording that is known to be one.
public struct WalkLearner: Sendable {
  private var detector = StepDetector(latency: StepDetector.longestRevision, recognition: .known)
  private var found: [Step] = []
  private var seen: [[Float]] = []
  /// The number of steps so far; complete after ``finish()``.
  public private(set) var steps = 0

  /// Blocks of walking that are needed: 15 s.
  private static let fewestBlocks = 30
  /// Blocks that are looked at: ten minutes.
  private static let mostBlocks = 1250

  public init() { detector.observations = [] }

  /// Takes samples in order of time, in g.
  public mutating func process(_ samples: Span<AccelerationSample>) {
    detector.process(samples, into: &found)
    take()
  }

  /// Decides all open steps.
  public mutating func finish() {
    detector.finish(into: &found)
    take()
  }

  /// Why nothing can be learned.
  public enum Refusal: Error, Sendable, Hashable {
    /// There is no walking, or less than ``shortest``.
    case tooShort
    /// It does not repeat as walking does.
    case irregular
  }

  /// The profile of what was walked.
  public func profile() throws(Refusal) -> WalkProfile {
    let length = seen.first?.count ?? 0
    let alike = seen.filter { $0.count == length }
    guard alike.count >= Self.fewestBlocks else { throw .tooShort }
    let regular = alike.filter { $0[0] >= Self.leastScore }
    if 2 * regular.count < alike.count { throw .irregular }
    let count = min(regular.count, WalkProfile.mostExamples)
    let examples = (0..<count).map { (i: Int) in regular[(2 * i + 1) * regular.count / (2 * count)] }
    guard let profile = WalkProfile(examples: examples) else { throw .irregular }
    return profile
  }

  /// The least score of the stride in an example. With turns and pauses among them, profiles made 11 to 17 false steps an hour
  /// instead of 6. Of 640 walks 1 in 100 has less in half of its blocks, of other movement that lasts as long nearly half.
  private static let leastScore: Float = 0.5

  /// The shortest walking that can be learned.
  public static let shortest = Duration.nanoseconds(
    Int64(fewestBlocks * Tuning.blockCells) * Tuning.cellNanoseconds)
  /// How long was walked so far, as far as it is looked at.
  public var walked: Duration { .nanoseconds(Int64(seen.count * Tuning.blockCells) * Tuning.cellNanoseconds) }

  private mutating func take() {
    steps += found.count
    found.removeAll(keepingCapacity: true)
    for block in detector.observations ?? [] where block.isWalking && seen.count < Self.mostBlocks {
      // Not standing or turning within the walk.
      if block.evidence <= 0 { continue }
      let (rhythm, shape) = (block.features.values, block.shape?.values)
      seen.append(
        rhythm.indices.map { rhythm[$0] } + (shape.map { shape in shape.indices.map { shape[$0] } } ?? []))
    }
    detector.observations = []
  }
}
