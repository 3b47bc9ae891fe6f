/// The reason for not counting a movement as walking.
///
/// It is derived afterwards from the measurements of the blocks, as an explanation; the count does not depend on it. It
/// is a guess at the cause, so its ``message`` is a question where the cause is uncertain.
public enum Objection: String, Sendable, Hashable, CaseIterable {
  /// It repeats like pedalling at a knee or in a pocket: wide, at the rate of steps, without an impact.
  case cycling
  /// Blows or strokes without a stride: across gravity, or with a sharp upward jerk each, as of a ball.
  case blows
  /// It repeats too slowly for gait, or without a peak in the middle of the stride, where the other foot would strike.
  case exercise
  /// It goes back and forth more than three times a second.
  case shaking
  /// It is small, and repeats several times a stride.
  case trembling
  /// There is too little movement.
  case quiet
  /// It looks like gait, but for too short a time or among too much contrary evidence.
  case brief
  /// It does not repeat.
  case irregular

  /// The explanation in plain words, without a full stop.
  public var message: String {
    switch self {
    case .cycling: "repeats, but no impact: cycling?"
    case .blows: "blows or strokes without a stride: clapping, boxing, a ball?"
    case .exercise: "repeats too slowly, without a step in between: an exercise?"
    case .shaking: "shakes more than three times a second: teeth or hair?"
    case .trembling: "trembles faster than steps: a vehicle or a machine?"
    case .quiet: "moves, but too quietly for steps"
    case .brief: "looks like walking, but not for long enough"
    case .irregular: "moves, but does not repeat as steps do"
    }
  }

  /// Whether the movement repeats, as walking does.
  public var isRepetition: Bool { self != .quiet && self != .irregular }
}

extension Objection {
  /// The r.m.s. of the magnitude (g) below which a block is rest, and needs no reason. Twice the gate's limit for quiet.
  private static let rest: Float = 0.03

  /// Log-odds below which a block is clearly not gait. The second harmonic of steps is above three hertz, and hard
  /// impacts, as on stairs, make it larger than the steps themselves. Correlation at a few cells cannot distinguish
  /// that from a shaking hand, but the gate, which also uses strides, can.
  private static let rejection: Float = -1

  /// The objection to one block; `nil` at rest.
  ///
  /// The rules are thresholds on the features of the block, not weights of the gate, so they are readable, and a new
  /// fit of the gate does not change them. At 12.5 cells a second the correlation of the axes at one cell is cos(2πf ·
  /// 0.08 s) for a movement of one frequency f: negative above 3.1 Hz. At three cells it is above 0.2 for frequencies
  /// below 0.9 Hz.
  /// - Parameters:
  ///   - shape: of the movement, if it is known.
  ///   - evidence: log-odds of walking.
  package init?(_ block: BlockFeatures, shape: MovementShape? = nil, evidence: Float) {
    if block.amplitude < Self.rest { return nil }
    if block.smoothness < -0.1, block.amplitude > 0.05, evidence < Self.rejection {
      self = .shaking
    } else if evidence > 1 {
      self = .brief
    } else if Self.readsShape(block, evidence: evidence), let shape, Self.isBlows(shape) {
      self = .blows
    } else if block.strideScore > 0.8, block.amplitude > 0.12, block.smoothness > 0.5, block.step < 0,
      block.axesAtThree < 0.12, block.cadence > 1.5
    {
      self = .cycling
    } else if block.strideScore > 0.5, block.amplitude < 0.12, block.quarterStride > 0, block.axesAtThree < 0.25 {
      self = .trembling
    } else if Self.isSlow(block) {
      self = .exercise
    } else {
      self = block.amplitude < 0.04 ? .quiet : .irregular
    }
  }

  /// Whether the objection may depend on the shape of the movement.
  static func readsShape(_ block: BlockFeatures, evidence: Float) -> Bool {
    evidence <= 1 && block.strideScore > 0.5 && block.amplitude > 0.1 && block.smoothness > -0.1
  }

  /// Whether the jerks are sharp and across gravity, or sharp and upward.
  private static func isBlows(_ shape: MovementShape) -> Bool {
    (shape.verticalJerkShare < 0.3 && shape.kurtosis > 1.1)
      || (shape.verticalJerkSkewness > 0.6 && shape.skewness > 0.5)
  }

  /// Whether it is slow and smooth, or repeats without a peak at half the stride.
  private static func isSlow(_ block: BlockFeatures) -> Bool {
    if block.smoothness > 0.75, block.axesAtThree > 0.2 { return true }
    return block.strideScore > 0.75 && (block.step < 0.2 || block.halfStride < -0.3)
  }
}
