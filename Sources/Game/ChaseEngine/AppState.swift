/// The state of a chase.
public enum AppState: String, Sendable, Hashable, Codable, CaseIterable {
  /// Not started yet.
  case notStarted
  /// The walker walks and Nessie swims: the only state in which the sensor and Nessie are active.
  case inProgress
  /// Both wait.
  case paused
  /// The goal was reached before Nessie arrived.
  case completed
  /// Nessie arrived first.
  case caught

  /// The label of the single button, which names the action of the next tap.
  public var nextStateButtonLabel: String {
    switch self {
    case .notStarted: "Start"
    case .inProgress: "Pause"
    case .paused: "Resume"
    case .completed: "Start Over"
    case .caught: "Try Again"
    }
  }

  /// The triggers of transitions.
  public enum Trigger: String, Sendable, Hashable, CaseIterable {
    case start, pause, restart, goalReached, caught
  }

  /// The reply of a state to a trigger.
  public enum Reply: Sendable, Hashable {
    /// Changes to another state, or for a restart to the first one again, and announces it.
    case moves(to: AppState)
    /// The state is reached already: no effect and no announcement.
    case stays
    /// Not possible in this state: ``AppError/invalidState(_:)``.
    case refuses
  }

  /// The transition table, in one place. Guards (a goal, a sensor, a finished walk) are additional; they may prevent a
  /// transition, but never allow one that is not in the table.
  public func reply(to trigger: Trigger) -> Reply {
    switch (self, trigger) {
    case (_, .restart): .moves(to: .notStarted)
    case (.inProgress, .start), (.paused, .pause), (.completed, .goalReached), (.caught, .caught): .stays
    case (.completed, _), (.caught, _), (.notStarted, .pause): .refuses
    case (_, .start): .moves(to: .inProgress)
    case (_, .pause): .moves(to: .paused)
    case (_, .goalReached): .moves(to: .completed)
    case (_, .caught): .moves(to: .caught)
    }
  }
}
