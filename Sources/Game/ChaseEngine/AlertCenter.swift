/// The alerts that the walker has not dismissed yet, in order of arrival.
public final class AlertCenter {
  /// A shared instance, as in the founding game. The engine does not use it.
  @MainActor public static var instance = AlertCenter()

  /// Where changes are posted.
  public let notificationCenter: NotificationHub

  private var alertQueue: [Alert] = []

  /// Creates an empty centre.
  /// - Parameter center: where changes are posted; a separate hub by default.
  public init(center: NotificationHub = NotificationHub()) { notificationCenter = center }

  /// The queued alerts, the latest last.
  public var alerts: [Alert] { alertQueue }
  /// The number of queued alerts.
  public var alertCount: Int { alertQueue.count }
  /// The oldest queued alert.
  public var topAlert: Alert? { alertQueue.first }
  /// The alert that is shown once the top one is dismissed.
  public var nextUp: Alert? { alertQueue.dropFirst().first }

  /// Appends an alert and posts that it was added. An alert that is queued already is ignored: nothing is posted.
  public func postAlert(alert: Alert) {
    guard !alertQueue.contains(alert) else { return }
    alertQueue.append(alert)
    announce(.added, of: alert)
  }

  /// Removes an alert and posts that it was cleared. An alert that is not queued is ignored: nothing is posted.
  public func clear(alert: Alert) {
    guard let index = alertQueue.firstIndex(of: alert) else { return }
    let cleared = alertQueue.remove(at: index)
    announce(.cleared, of: cleared)
  }

  /// Removes every alert that satisfies a predicate, each posted as cleared, the first one first; all are removed before
  /// the first message.
  public func clearAlerts(where isUnwanted: (Alert) -> Bool = { _ in true }) {
    let cleared = alertQueue.filter(isUnwanted)
    alertQueue.removeAll(where: isUnwanted)
    for alert in cleared { announce(.cleared, of: alert) }
  }

  /// Calls back whenever an alert was added or cleared, until the token is cancelled or released.
  public func listenForAlerts(_ callback: @escaping (AlertCenter) -> Void) -> ListenToken {
    notificationCenter.addObserver(for: AlertNotification.name, object: self) { [weak self] _ in
      if let self { callback(self) }
    }
  }

  /// Listens to the current ``instance``, as in the book. The token stays bound to that one.
  @MainActor
  public static func listenForAlerts(_ callback: @escaping (AlertCenter) -> Void) -> ListenToken {
    instance.listenForAlerts(callback)
  }

  private func announce(_ change: AlertChangeStatus, of alert: Alert) {
    notificationCenter.post(
      name: AlertNotification.name, object: self,
      userInfo: [AlertNotification.Keys.alert: alert, AlertNotification.Keys.statusChange: change])
  }
}
