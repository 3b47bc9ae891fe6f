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
  private var token: ListenToken?
  private var goalToken: ListenToken?
  private var goal: Int?
  private var formerState: AppState

  /// Listens to a chase from now on. A goal that it already has came from the command line.
  package init(of model: AppModel, in environment: ReportEnvironment, analytics: (any AnalyticsAPI)?) {
    self.environment = environment
    coordinator = ScreenCoordinator(analytics: analytics)
    formerState = model.appState
    let hub = model.alertCenter.notificationCenter
    token = hub.addObserver(for: AppModel.stateNotification, object: model) { [weak self, weak model] _ in
      if let model { self?.stateChanged(of: model) }
    }
    goalToken = hub.addObserver(for: DataModel.updateNotification, object: model.dataModel) {
      [weak self, weak model] _ in
      if let model { self?.goalMayHaveChanged(to: model.dataModel.goal, type: .buttonTap) }
    }
    goalMayHaveChanged(to: model.dataModel.goal, type: .lifecycle)
  }

  /// Reports that the screen of the game is shown.
  package func screenShown() { coordinator.push(Screen(.chaseShown, in: environment)) }

  /// Reports that the screen of the game is left.
  package func screenLeft() { coordinator.leave() }

  /// Reports that the walker dismissed an alert.
  func alertClosed() { send(.alertClosed, .buttonTap) }

  private func stateChanged(of model: AppModel) {
    let (former, state) = (formerState, model.appState)
    formerState = state
    switch state {
    case .notStarted: break
    case .inProgress: send(former == .paused ? .chaseResumed : .chaseStarted, .lifecycle)
    case .paused: send(.chasePaused, .lifecycle, model.elapsed)
    case .completed: send(.chaseCompleted, .lifecycle, model.elapsed)
    case .caught: send(.chaseCaught, .lifecycle, model.elapsed)
    }
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
