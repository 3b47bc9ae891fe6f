/// The stack of alert cards without a screen: the oldest alert, and the edge of the next one below.
public final class AlertViewController {
  /// The content of the two cards.
  public struct ViewValues: Sendable, Hashable {
    /// The text of the top card; `nil` without alerts.
    public var alertText: String?
    /// Whether there is exactly one alert.
    public var justOneAlert: Bool
    /// The inset of the top card, which makes the one below visible.
    public var topAlertInset: Int
    /// Colour of the top card, as a role; `nil` without alerts.
    public var topColor: Alert.Severity?
    /// Colour of the card below, as a role; `nil` without one.
    public var bottomColor: Alert.Severity?
  }

  /// Inset of the top card of a stack, in the founding units.
  public static let stackInset = 8

  /// The displayed content.
  public private(set) var shown: ViewValues
  /// Whether the card below is hidden.
  public var secondCardIsHidden: Bool { shown.bottomColor == nil }

  private let alertCenter: AlertCenter
  private var token: ListenToken?

  /// Shows the alerts of a centre from now on.
  public init(alertCenter: AlertCenter) {
    self.alertCenter = alertCenter
    shown = Self.values(of: alertCenter)
    token = alertCenter.listenForAlerts { [weak self] _ in self?.updateForAlert() }
  }

  /// The content for the currently queued alerts.
  public func calculateViewValues() -> ViewValues { Self.values(of: alertCenter) }

  /// Updates the cards.
  public func updateForAlert() { shown = calculateViewValues() }

  /// Dismisses the top card.
  public func closeAlert() { if let alert = alertCenter.topAlert { alertCenter.clear(alert: alert) } }

  private static func values(of center: AlertCenter) -> ViewValues {
    ViewValues(
      alertText: center.topAlert?.text, justOneAlert: center.alertCount == 1,
      topAlertInset: center.alertCount > 1 ? stackInset : 0, topColor: center.topAlert?.severity,
      bottomColor: center.nextUp?.severity)
  }
}
