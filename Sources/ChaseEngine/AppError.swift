/// Why a chase does not do what it was asked to.
public enum AppError: Error, Sendable, Hashable {
  /// A start without a goal.
  case goalNotSet
  /// A goal of this many steps is none: it has to be at least 1.
  case goalNotPositive(Int)
  /// The request makes no sense in this state, or the walk so far does not bear it out.
  case invalidState(AppState)
}

extension AppError: CustomStringConvertible {
  /// One sentence that says what to do next.
  public var description: String {
    switch self {
    case .goalNotSet: "there is no goal yet; set a number of steps first"
    case .goalNotPositive(let goal): "a goal of \(goal) steps cannot be chased; give a number of at least 1"
    case .invalidState(.notStarted): "the chase has not begun; start it first"
    case .invalidState(.inProgress): "the chase is still open: neither is the goal reached nor is the walker caught"
    case .invalidState(.paused): "the chase is paused and still open; resume it first"
    case .invalidState(.completed): "the chase is won already; restart it first"
    case .invalidState(.caught): "the chase is lost already; restart it first"
    }
  }
}
