/// The reason why a chase refuses a request, as one sentence with the remedy.
public enum AppError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A start without a goal.
  case goalNotSet
  /// An invalid goal: it has to be at least 1.
  case goalNotPositive(Int)
  /// The request is not possible in this state, or the walk so far does not satisfy its condition.
  case invalidState(AppState)

  public var description: String {
    switch self {
    case .goalNotSet: "no goal set; set a number of steps first"
    case .goalNotPositive(let goal): "a goal of \(goal) steps is invalid; give at least 1"
    case .invalidState(.notStarted): "the chase has not started; start it first"
    case .invalidState(.inProgress):
      "the chase is not over: the goal is not reached and the walker is not caught"
    case .invalidState(.paused): "the chase is paused; resume it first"
    case .invalidState(.completed): "the chase is already won; restart it first"
    case .invalidState(.caught): "the chase is already lost; restart it first"
    }
  }
}
