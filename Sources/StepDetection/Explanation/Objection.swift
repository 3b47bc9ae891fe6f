/// What spoke against counting a movement as walking.
///
/// It is named after the fact, from what was measured in the blocks, for people who ask; the count does not depend on it.
/// A name is a guess at the cause, so its ``message`` asks where it does not know.
public enum Objection: String, Sendable, Hashable, CaseIterable {
  /// It repeats as pedalling does at a knee or in a pocket: wide, at a step's pace, without an impact.
  case cycling
  /// It repeats too slowly for gait, or with nothing in the middle of the stride, where the other foot would strike.
  case exercise
  /// It goes back and forth more than three times a second.
  case shaking
  /// There is little of it, and it comes back several times a stride.
  case trembling
  /// There is too little of it.
  case quiet
  /// It looks like gait, for too short a time or with too much against it around.
  case brief
  /// It does not repeat.
  case irregular

  /// The same in plain words, without a full stop.
  public var message: String {
    switch self {
    case .cycling: "repeats, but no impact: cycling?"
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
  /// r.m.s. of the magnitude (g) below which a block is rest, and needs no reason. Twice what the gate calls quiet.
  private static let rest: Float = 0.03

  /// Log-odds below which a block is clearly no gait. The second harmonic of steps lies above three hertz, and hard
  /// impacts, as on stairs, make it larger than the steps themselves: correlation at a few cells cannot tell it
  /// from a hand that shakes, but the gate, which also looks at strides, can.
  private static let rejection: Float = -1

  /// What speaks against one block; `nil` at rest.
  ///
  /// The rules are thresholds on what the block shows, not the weights of the gate, so they can be read, and a new fit of
  /// the gate leaves them alone. At 12.5 cells a second the axes' correlation at one cell is cos(2πf · 0.08 s) for a
  /// movement of one frequency f: below zero from 3.1 Hz on. At three cells it is above 0.2 below 0.9 Hz.
  /// - Parameter evidence: log-odds of walking.
  package init?(_ block: BlockFeatures, evidence: Float) {
    if block.amplitude < Self.rest { return nil }
    if block.smoothness < -0.1, block.amplitude > 0.05, evidence < Self.rejection {
      self = .shaking
    } else if evidence > 1 {
      self = .brief
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

  /// Slow and smooth, or repeating with nothing at half the stride.
  private static func isSlow(_ block: BlockFeatures) -> Bool {
    if block.smoothness > 0.75, block.axesAtThree > 0.2 { return true }
    return block.strideScore > 0.75 && (block.step < 0.2 || block.halfStride < -0.3)
  }
}
