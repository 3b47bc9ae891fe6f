/// What an ``AlertCenter`` posts on its hub when its queue changes.
public enum AlertNotification {
  /// The name of the message; its object is the alert centre.
  public static let name = NotificationHub.Name("Alert")

  /// The keys of the message's `userInfo`.
  public enum Keys: Sendable, Hashable {
    /// The very ``Alert`` that came or went.
    case alert
    /// An ``AlertChangeStatus``.
    case statusChange
  }
}

/// What became of an alert.
public enum AlertChangeStatus: Sendable, Hashable {
  case added, cleared
}

extension NotificationHub.Message {
  /// The alert of an ``AlertNotification``.
  public var alert: Alert? { userInfo[AlertNotification.Keys.alert] as? Alert }
  /// What became of the alert of an ``AlertNotification``.
  public var alertChange: AlertChangeStatus? {
    userInfo[AlertNotification.Keys.statusChange] as? AlertChangeStatus
  }
}
