/// The message that an ``AlertCenter`` posts on its hub when its queue changes.
public enum AlertNotification {
  /// The name of the message; its object is the alert centre.
  public static let name = NotificationHub.Name("Alert")

  /// The keys of the message's `userInfo`.
  public enum Keys: Sendable, Hashable {
    /// The ``Alert`` that was added or cleared.
    case alert
    /// An ``AlertChangeStatus``.
    case statusChange
  }
}

/// The change of an alert.
public enum AlertChangeStatus: Sendable, Hashable {
  case added, cleared
}

extension NotificationHub.Message {
  /// The alert of an ``AlertNotification``.
  public var alert: Alert? { userInfo[AlertNotification.Keys.alert] as? Alert }
  /// The change of an ``AlertNotification``.
  public var alertChange: AlertChangeStatus? { userInfo[AlertNotification.Keys.statusChange] as? AlertChangeStatus }
}
