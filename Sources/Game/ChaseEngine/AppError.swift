/// The reason why a chase refuses a request. Compare ``code`` and show ``message``.
public struct AppError: Error, Sendable, Hashable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// A start without a goal.
    public static let goalNotSet = Code(name: "goalNotSet")
    /// An invalid goal: it has to be at least 1.
    public static let goalNotPositive = Code(name: "goalNotPositive")
    /// The request is not possible in this state, or the walk so far does not satisfy its condition.
    public static let invalidState = Code(name: "invalidState")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String

  /// A start without a goal.
  public static let goalNotSet = Self(code: .goalNotSet, message: "no goal set; set a number of steps first")

  /// An invalid goal.
  public static func goalNotPositive(_ goal: Int) -> Self {
    Self(code: .goalNotPositive, message: "a goal of \(goal) steps is invalid; give at least 1")
  }

  /// The request is not possible in this state, or the walk so far does not satisfy its condition.
  public static func invalidState(_ state: AppState) -> Self {
    let message =
      switch state {
      case .notStarted: "the chase has not started; start it first"
      case .inProgress: "the chase is not over: the goal is not reached and the walker is not caught"
      case .paused: "the chase is paused; resume it first"
      case .completed: "the chase is already won; restart it first"
      case .caught: "the chase is already lost; restart it first"
      }
    return Self(code: .invalidState, message: message)
  }
}

extension AppError: CustomStringConvertible {
  public var description: String { message }
}
