/// The rule for Nessie's speed.
public enum Pursuer: Sendable, Hashable {
  /// A constant speed in metres a second, as in the founding game.
  case constant(velocity: Double)
  /// A speed that depends on the walker's, as in other chase games: see ``AdaptivePursuit``.
  case adaptive
}

/// The rules of one chase.
public struct ChaseSettings: Sendable, Hashable {
  /// The rule for the pursuer's speed.
  public let pursuer: Pursuer
  /// The walker's lead in metres before the first step.
  public let headstart: Double

  /// Creates rules.
  /// - Parameters:
  ///   - pursuer: a constant velocity has to be finite and above zero.
  ///   - headstart: metres, finite and not below zero.
  public init(pursuer: Pursuer, headstart: Double) throws(InvalidChaseSetting) {
    if case .constant(let velocity) = pursuer, !(velocity.isFinite && velocity > 0) { throw .velocity(velocity) }
    guard headstart.isFinite, headstart >= 0 else { throw .headstart(headstart) }
    self.init(checked: pursuer, headstart: headstart)
  }

  private init(checked pursuer: Pursuer, headstart: Double) {
    (self.pursuer, self.headstart) = (pursuer, headstart)
  }

  /// Nessie at 1.25 m/s with a head start of 20 m: the default.
  ///
  /// By the walk ratio (0.0063 m per step/min at 1.70 m of height) that is the speed of 109 steps/min. Brisk walking at
  /// 115 to 120 steps/min reaches 1.39 to 1.51 m/s and is never caught; slow walking at 90 to 100 reaches 0.85 to 1.05
  /// m/s and is caught after 50 to 100 s, that is, within 75 to 170 steps. The limit between the two is where walking
  /// becomes exercise: 100 steps/min is the usual threshold of moderate intensity (Tudor-Locke C. et al. "How fast is
  /// fast enough? Walking cadence (steps/min) as a practical estimate of intensity in adults". British Journal of
  /// Sports Medicine 52 (2018) 776-788). The 20 m also cover the seconds before a step detector confirms the first
  /// steps; if it reports steps six seconds late, brisk walkers still win and slow walkers are caught ten seconds or
  /// more sooner.
  public static let walking = ChaseSettings(checked: .constant(velocity: 1.25), headstart: 20)

  /// The figures of the founding game: 9.5 m/s and 10 m. It cannot be won on foot.
  public static let founding = ChaseSettings(checked: .constant(velocity: 9.5), headstart: 10)

  /// A Nessie whose speed depends on the walker's, with a head start of 20 m.
  public static let adaptive = ChaseSettings(checked: .adaptive, headstart: 20)
}

/// The reason why rules of a chase are invalid, as one sentence with the remedy.
public enum InvalidChaseSetting: Error, Sendable, Hashable, CustomStringConvertible {
  /// An invalid speed of Nessie in metres a second.
  case velocity(Double)
  /// An invalid head start in metres.
  case headstart(Double)

  public var description: String {
    switch self {
    case .velocity(let value): "Nessie cannot swim at \(value) m/s; give a speed above 0, such as 1.25"
    case .headstart(let value): "a head start of \(value) m is invalid; give 0 m or more, such as 20"
    }
  }
}
