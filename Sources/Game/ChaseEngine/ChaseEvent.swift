/// An event of a chase, with its time.
public enum ChaseEvent: Sendable, Hashable {
  /// The state was set.
  case state(time: Duration, AppState)
  /// An alert was posted.
  case alert(time: Duration, Alert)
  /// The figures changed.
  case chase(ChaseFrame)

  /// The time of the event, since the model was created.
  public var time: Duration {
    switch self {
    case .state(let time, _), .alert(let time, _): time
    case .chase(let frame): frame.time
    }
  }
}

/// Turns the announcements of a chase into a sequence of events: the same inputs give the same events.
///
/// At one instant, alerts come first, then the figures, then the resulting state. A cleared alert is not an event.
public final class ChaseReporter {
  private var tokens: [ListenToken] = []

  /// Reports from now on, until the reporter is released.
  /// - Parameters:
  ///   - model: the chase to follow. The reporter does not retain it.
  ///   - handler: called while the chase changes; it should return quickly.
  public init(model: AppModel, handler: @escaping (ChaseEvent) -> Void) {
    let hub = model.alertCenter.notificationCenter
    tokens = [
      hub.addObserver(for: AppModel.stateNotification, object: model) { [weak model] _ in
        if let model { handler(.state(time: model.now, model.appState)) }
      },
      hub.addObserver(for: AlertNotification.name, object: model.alertCenter) { [weak model] message in
        guard let model, message.alertChange == .added, let alert = message.alert else { return }
        handler(.alert(time: model.now, alert))
      },
      hub.addObserver(for: DataModel.updateNotification, object: model.dataModel) { [weak model] _ in
        if let model { handler(.chase(ChaseFrame(of: model))) }
      },
    ]
  }
}
