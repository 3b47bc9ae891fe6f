/// Where a chase stands.
public enum AppState: String, Sendable, Hashable, CaseIterable {
  /// Not started yet.
  case notStarted
  /// The walker walks and Nessie swims: the only state in which the sensor and Nessie run.
  case inProgress
  /// Both wait.
  case paused
  /// The goal was reached before Nessie came.
  case completed
  /// Nessie came first.
  case caught

  /// What the one button says, that is, what a tap on it would do next.
  public var nextStateButtonLabel: String {
    switch self {
    case .notStarted: "Start"
    case .inProgress: "Pause"
    case .paused: "Resume"
    case .completed: "Start Over"
    case .caught: "Try Again"
    }
  }
}

extension AppState {
  /// What may happen to a chase.
  public enum Trigger: String, Sendable, Hashable, CaseIterable {
    case start, pause, restart, goalReached, caught
  }

  /// What a state answers to a trigger.
  public enum Reply: Sendable, Hashable {
    /// Goes to another state, or for a restart to the first one again, and announces it.
    case moves(to: AppState)
    /// Is there already: nothing happens and nothing is announced.
    case stays
    /// Makes no sense in this state: ``AppError/invalidState(_:)``.
    case refuses
  }

  /// The transition table, the only place that knows it. Guards (a goal, a sensor, a finished walk) come on top of it
  /// and may hold a move back; they never allow one that is not here.
  public func reply(to trigger: Trigger) -> Reply {
    switch (self, trigger) {
    case (_, .restart): .moves(to: .notStarted)

    case (.notStarted, .start), (.paused, .start): .moves(to: .inProgress)
    case (.inProgress, .start): .stays
    case (.completed, .start), (.caught, .start): .refuses

    case (.inProgress, .pause): .moves(to: .paused)
    case (.paused, .pause): .stays
    case (.notStarted, .pause), (.completed, .pause), (.caught, .pause): .refuses

    case (.notStarted, .goalReached), (.inProgress, .goalReached), (.paused, .goalReached): .moves(to: .completed)
    case (.completed, .goalReached): .stays
    case (.caught, .goalReached): .refuses

    case (.notStarted, .caught), (.inProgress, .caught), (.paused, .caught): .moves(to: .caught)
    case (.completed, .caught): .refuses
    case (.caught, .caught): .stays
    }
  }
}
