/// The whole screen without a screen: the step counter, and above it a container for alerts that comes and goes.
public final class RootViewController {
  /// The main part.
  public let stepController: StepCountController
  /// What is in the container.
  public let alertController: AlertViewController
  /// Whether the container is hidden: exactly while no alert waits.
  public private(set) var alertContainerIsHidden: Bool

  private let alertCenter: AlertCenter
  private var token: ListenToken?

  /// Shows a chase from now on.
  public init(model: AppModel, chaseView: ChaseView = ChaseView()) {
    alertCenter = model.alertCenter
    alertContainerIsHidden = alertCenter.alertCount == 0
    stepController = StepCountController(model: model, chaseView: chaseView)
    alertController = AlertViewController(alertCenter: alertCenter)
    token = alertCenter.listenForAlerts { [weak self] in self?.alertContainerIsHidden = $0.alertCount == 0 }
  }

  /// Dismisses all alerts.
  public func reset() { alertCenter.clearAlerts() }
}
