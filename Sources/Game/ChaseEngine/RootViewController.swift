/// The whole screen without a screen: the step counter, and above it a container for alerts that appears and
/// disappears.
public final class RootViewController {
  /// The main part.
  public let stepController: StepCountController
  /// The content of the container.
  public let alertController: AlertViewController
  /// Whether the container is hidden: exactly if no alert is queued.
  public var alertContainerIsHidden: Bool { alertCenter.alertCount == 0 }

  private let alertCenter: AlertCenter

  /// Shows a chase from now on.
  public init(model: AppModel, chaseView: ChaseView = ChaseView()) {
    alertCenter = model.alertCenter
    stepController = StepCountController(model: model, chaseView: chaseView)
    alertController = AlertViewController(alertCenter: alertCenter)
  }

  /// Dismisses all alerts.
  public func reset() { alertCenter.clearAlerts() }
}
