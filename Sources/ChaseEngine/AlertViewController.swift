/// The stack of alert cards without a screen: the alert that has waited longest, and the edge of the next one below.
public final class AlertViewController {
  /// What the two cards show.
  public struct ViewValues: Sendable, Hashable {
    /// The sentence on the top card; `nil` without alerts.
    public var alertText: String?
    /// Whether there is one alert and no more.
    public var justOneAlert: Bool
    /// How far the top card is set in, so that the one below can be seen.
    public var topAlertInset: Int
    /// Colour of the top card, as a role; `nil` without alerts.
    public var topColor: Alert.Severity?
    /// Colour of the card below, as a role; `nil` without one.
    public var bottomColor: Alert.Severity?
  }

  /// Inset of the top card of a stack, in the founding units.
  public static let stackInset = 8

  /// What is shown at present.
  public private(set) var shown: ViewValues
  /// Whether the card below is hidden.
  public private(set) var secondCardIsHidden = true

  private let alertCenter: AlertCenter
  private var token: ListenToken?

  /// Shows the alerts of a centre from now on.
  public init(alertCenter: AlertCenter) {
    self.alertCenter = alertCenter
    shown = Self.values(of: alertCenter)
    token = alertCenter.listenForAlerts { [weak self] _ in self?.updateForAlert() }
    updateForAlert()
  }

  /// What the cards have to show for the alerts that wait now.
  public func calculateViewValues() -> ViewValues { Self.values(of: alertCenter) }

  /// Brings the cards up to date.
  public func updateForAlert() {
    shown = calculateViewValues()
    secondCardIsHidden = shown.bottomColor == nil
  }

  /// The top card was dismissed.
  public func closeAlert() {
    if let alert = alertCenter.topAlert { alertCenter.clear(alert: alert) }
    updateForAlert()
  }

  private static func values(of center: AlertCenter) -> ViewValues {
    ViewValues(
      alertText: center.topAlert?.text, justOneAlert: center.alertCount == 1,
      topAlertInset: center.alertCount > 1 ? stackInset : 0, topColor: center.topAlert?.severity,
      bottomColor: center.nextUp?.severity)
  }
}
