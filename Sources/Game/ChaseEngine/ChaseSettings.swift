/// The rules of one chase.
public struct ChaseSettings: Sendable, Hashable {
  /// Nessie's speed in metres a second.
  public let velocity: Double
  /// The walker's lead in metres before the first step.
  public let headstart: Double

  /// Creates rules.
  /// - Parameters:
  ///   - velocity: Nessie's speed in metres a second, finite and above zero.
  ///   - headstart: metres, finite and not below zero.
  public init(velocity: Double, headstart: Double) throws(InvalidChaseSetting) {
    guard velocity.isFinite, velocity > 0 else { throw .velocity(velocity) }
    guard headstart.isFinite, headstart >= 0 else { throw .headstart(headstart) }
    self.init(checked: velocity, headstart: headstart)
  }

  private init(checked velocity: Double, headstart: Double) { (self.velocity, self.headstart) = (velocity, headstart) }

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
  public static let walking = ChaseSettings(checked: 1.25, headstart: 20)

  /// The figures of the founding game: 9.5 m/s and 10 m. It cannot be won on foot.
  public static let founding = ChaseSettings(checked: 9.5, headstart: 10)
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
