import Analytics
import ChaseEngine

/// What a chase reports: how it begins, goes on and ends, what is tapped, and how long its screen was seen.
///
/// It only listens. Without analytics it says nothing.
final class ChaseReports: ReportSending {
  var analytics: (any AnalyticsAPI)? {
    get { coordinator.analytics }
    set { coordinator.analytics = newValue }
  }

  private let environment: ReportEnvironment
  private let coordinator: ScreenCoordinator
  private var token: ListenToken?
  private var goalToken: ListenToken?
  private var goal: Int?
  private var formerState: AppState

  /// Listens to a chase from now on. A goal that it has already came from the command line.
  init(of model: AppModel, in environment: ReportEnvironment, analytics: (any AnalyticsAPI)?) {
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

  /// The game's screen came up.
  func screenShown() { coordinator.push(Screen(.chaseShown, in: environment)) }

  /// The game's screen is left.
  func screenLeft() { coordinator.leave() }

  /// The walker dismissed an alert.
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

  /// A restart takes the goal away and sets the same one again: that is nobody's wish.
  private func goalMayHaveChanged(to newGoal: Int?, type: AnalyticsType) {
    guard let newGoal, newGoal != goal else { return }
    goal = newGoal
    send(.goalSet, type)
  }

  private func send(_ event: AnalyticsEvent, _ type: AnalyticsType, _ duration: Duration? = nil) {
    analytics?.sendReport(report: .make(event: event, type: type, duration: duration, in: environment))
  }
}
