/// The main screen without a screen: a label, one button, the chase view, and a dialog for the goal.
public final class StepCountController {
  /// The suggested goal of the dialog.
  public static let suggestedGoal = 1000

  /// The chase behind it.
  public let model: AppModel
  /// The picture of the chase.
  public let chaseView: ChaseView
  /// The number of steps and the goal.
  public private(set) var stepCountLabel = ""
  /// The title of the single button.
  public private(set) var startButtonTitle = ""
  /// Whether the dialog for the goal is shown.
  public private(set) var isAskingForGoal = false

  private var token: ListenToken?

  /// Shows a chase from now on. Sets the model's ``AppModel/stateChangedCallback``.
  public init(model: AppModel, chaseView: ChaseView = ChaseView()) {
    (self.model, self.chaseView) = (model, chaseView)
    model.stateChangedCallback = { [weak self] _ in self?.updateUI() }
    token = model.alertCenter.notificationCenter.addObserver(
      for: DataModel.updateNotification, object: model.dataModel
    ) { [weak self] _ in self?.updateUI() }
    updateUI()
  }

  /// Updates label, button and picture.
  public func updateUI() {
    let data = model.dataModel
    stepCountLabel = data.goal.map { "\(data.steps) of \($0) steps" } ?? "\(data.steps) steps"
    startButtonTitle = model.appState.nextStateButtonLabel
    chaseView.state = model.appState
    chaseView.updateState(runner: data.runnerFraction, nessie: data.nessieFraction)
  }

  /// Handles a tap on the button: performs the action of its title. A start without a goal asks for one.
  public func startStopPause() {
    do throws(AppError) {
      switch model.appState {
      case .notStarted, .paused: try model.start()
      case .inProgress: try model.pause()
      case .completed, .caught: model.restart()
      }
    } catch {
      // Otherwise the chase ended between the tap and its effect; the button now shows the possible action.
      if error == .goalNotSet { showSettings() }
    }
    updateUI()
  }

  /// Asks for a goal.
  public func showSettings() { isAskingForGoal = true }

  /// Closes the dialog without a goal.
  public func cancelSettings() { isAskingForGoal = false }

  /// Sets a new goal in steps and closes the dialog.
  /// - Throws: ``AppError/goalNotPositive(_:)``; the goal does not change and the dialog stays open.
  public func updateGoal(newGoal: Int) throws(AppError) {
    try model.dataModel.setGoal(newGoal)
    isAskingForGoal = false
    updateUI()
  }

  /// Sets a new goal from typed text; surrounding blanks do not matter. Text other than an integer counts as 0 and is
  /// refused.
  public func updateGoal(text: String) throws(AppError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    try updateGoal(newGoal: words.count == 1 ? Int(words[0]) ?? 0 : 0)
  }
}
