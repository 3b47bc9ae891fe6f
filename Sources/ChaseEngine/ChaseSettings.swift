/// How Nessie decides how fast to swim.
public enum Pursuer: Sendable, Hashable {
  /// Always this fast, in metres a second, as the founding game has it.
  case constant(velocity: Double)
  /// By the walker's own pace, as chase games have it: see ``AdaptivePursuit``.
  case adaptive
}

/// The rules of one chase.
public struct ChaseSettings: Sendable, Hashable {
  /// Who pursues.
  public let pursuer: Pursuer
  /// How many metres the walker is ahead of Nessie before the first step.
  public let headstart: Double

  /// Makes rules.
  /// - Parameters:
  ///   - pursuer: a constant velocity has to be finite and above zero.
  ///   - headstart: metres, finite and not below zero.
  public init(pursuer: Pursuer, headstart: Double) throws(InvalidChaseSetting) {
    if case .constant(let velocity) = pursuer, !(velocity.isFinite && velocity > 0) { throw .velocity(velocity) }
    guard headstart.isFinite, headstart >= 0 else { throw .headstart(headstart) }
    self.init(checked: pursuer, headstart: headstart)
  }

  private init(checked pursuer: Pursuer, headstart: Double) {
    self.pursuer = pursuer
    self.headstart = headstart
  }

  /// Nessie at 1.25 m/s with 20 m to go: the default.
  ///
  /// By the walk ratio (0.0063 m per step/min at 1.70 m of height) that is the speed of 109 steps/min. Brisk walking
  /// at 115 to 120 steps/min makes 1.39 to 1.51 m/s and is never caught; a stroll at 90 to 100 makes 0.85 to 1.05 m/s
  /// and is caught after 50 to 100 s, that is, within 75 to 170 steps. The line between the two is where walking
  /// becomes exercise: 100 steps/min is the usual threshold of moderate intensity (Tudor-Locke C. et al. "How fast is
  /// fast enough? Walking cadence (steps/min) as a practical estimate of intensity in adults". British Journal of
  /// Sports Medicine 52 (2018) 776-788). The 20 m also cover the seconds in which a step detector is not yet
  /// sure; where it tells of steps six seconds late, brisk walkers still win and strollers are caught ten seconds or
  /// more sooner.
  public static let walking = ChaseSettings(checked: .constant(velocity: 1.25), headstart: 20)

  /// The figures of the founding game: 9.5 m/s and 10 m. It cannot be won on foot.
  public static let founding = ChaseSettings(checked: .constant(velocity: 9.5), headstart: 10)

  /// A Nessie who goes by the walker's own pace, with 20 m to go.
  public static let adaptive = ChaseSettings(checked: .adaptive, headstart: 20)
}

/// Why rules of a chase are invalid: compare ``code``, and show ``message``.
public struct InvalidChaseSetting: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// Nessie cannot swim at this many metres a second.
    public static let velocity = Code(name: "velocity")
    /// An invalid head start in metres.
    public static let headstart = Code(name: "headstart")
  }

  /// The cause.
  public let code: Code
  /// One sentence that says what to give instead.
  public let message: String

  public var description: String { message }

  package static func velocity(_ value: Double) -> Self {
    Self(code: .velocity, message: "Nessie cannot swim at \(value) m/s; give a speed above 0, such as 1.25")
  }

  package static func headstart(_ value: Double) -> Self {
    Self(code: .headstart, message: "a head start of \(value) m is invalid; give 0 m or more, such as 20")
  }
}
