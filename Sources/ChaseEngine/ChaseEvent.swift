/// One thing that happened in a chase, with its time.
public enum ChaseEvent: Sendable, Hashable {
  /// The state was set.
  case state(time: Duration, AppState)
  /// An alert was posted.
  case alert(time: Duration, Alert)
  /// The figures changed.
  case chase(ChaseFrame)

  /// When it happened, since the model was made.
  public var time: Duration {
    switch self {
    case .state(let time, _), .alert(let time, _): time
    case .chase(let frame): frame.time
    }
  }
}

/// Turns what a chase announces into a sequence of events: the same inputs, the same events.
///
/// Of one instant, alerts come first, then the figures, then the state they lead to. A cleared alert is not an event.
public final class ChaseReporter {
  private var tokens: [ListenToken] = []

  /// Reports from now on, until the reporter is let go.
  /// - Parameters:
  ///   - model: the chase to follow. The reporter does not keep it alive.
  ///   - handler: called while the chase changes; do not let it take long.
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
