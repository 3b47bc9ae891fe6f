import Analytics
import ChaseEngine

/// The reports of a chase: its start, progress and end, taps, and how long its screen was shown.
///
/// It only listens. Without analytics it reports nothing.
package final class ChaseReports: ReportSending {
  package var analytics: (any AnalyticsAPI)? {
    get { coordinator.analytics }
    set { coordinator.analytics = newValue }
  }

  private let environment: ReportEnvironment
  private let coordinator: ScreenCoordinator
  private var reporter: ChaseReporter?
  private var goal: Int?
  private var formerState: AppState

  /// Listens to a chase from now on. A goal that it already has came from the command line.
  package init(of model: AppModel, in environment: ReportEnvironment, analytics: (any AnalyticsAPI)?) {
    self.environment = environment
    coordinator = ScreenCoordinator(analytics: analytics)
    formerState = model.appState
    reporter = ChaseReporter(model: model) { [weak self, unowned model] event in
      switch event {
      case .state(_, let state): self?.stateChanged(to: state, after: model.elapsed)
      case .chase(let frame): self?.goalMayHaveChanged(to: frame.goal, type: .buttonTap)
      case .alert: break
      }
    }
    goalMayHaveChanged(to: model.dataModel.goal, type: .lifecycle)
  }

  package func screenShown() { coordinator.push(Screen(.chaseShown, in: environment)) }

  package func screenLeft() { coordinator.leave() }

  func alertClosed() { send(.alertClosed, .buttonTap) }

  private func stateChanged(to state: AppState, after elapsed: Duration) {
    switch state {
    case .notStarted: break
    case .inProgress: send(formerState == .paused ? .chaseResumed : .chaseStarted, .lifecycle)
    case .paused: send(.chasePaused, .lifecycle, elapsed)
    case .completed: send(.chaseCompleted, .lifecycle, elapsed)
    case .caught: send(.chaseCaught, .lifecycle, elapsed)
    }
    formerState = state
  }

  /// A restart clears the goal and sets the same one again, which is not an action of the user.
  private func goalMayHaveChanged(to newGoal: Int?, type: AnalyticsType) {
    guard let newGoal, newGoal != goal else { return }
    goal = newGoal
    send(.goalSet, type)
  }

  private func send(_ event: AnalyticsEvent, _ type: AnalyticsType, _ duration: Duration? = nil) {
    analytics?.sendReport(report: .make(event: event, type: type, duration: duration, in: environment))
  }
}
