/// The main screen without a screen: a label, one button, the chase view, and a question for the goal.
public final class StepCountController {
  /// What the question for a goal suggests.
  public static let suggestedGoal = 1000

  /// The chase behind it.
  public let model: AppModel
  /// The picture of the chase.
  public let chaseView: ChaseView
  /// How many steps of how many.
  public private(set) var stepCountLabel = ""
  /// What the one button says.
  public private(set) var startButtonTitle = ""
  /// Whether the walker is being asked for a goal.
  public private(set) var isAskingForGoal = false

  private var token: ListenToken?

  /// Shows a chase from now on. Takes the model's one ``AppModel/stateChangedCallback``.
  public init(model: AppModel, chaseView: ChaseView = ChaseView()) {
    self.model = model
    self.chaseView = chaseView
    model.stateChangedCallback = { [weak self] _ in self?.updateUI() }
    token = model.alertCenter.notificationCenter.addObserver(
      for: DataModel.updateNotification, object: model.dataModel
    ) { [weak self] _ in self?.updateUI() }
    updateUI()
  }

  /// Brings label, button and picture up to date.
  public func updateUI() {
    let data = model.dataModel
    stepCountLabel = data.goal.map { "\(data.steps) of \($0) steps" } ?? "\(data.steps) steps"
    startButtonTitle = model.appState.nextStateButtonLabel
    chaseView.state = model.appState
    chaseView.updateState(runner: data.runnerFraction, nessie: data.nessieFraction)
  }

  /// The button was tapped: does what it says. A start without a goal asks for one.
  public func startStopPause() {
    do throws(AppError) {
      switch model.appState {
      case .notStarted, .paused: try model.start()
      case .inProgress: try model.pause()
      case .completed, .caught: model.restart()
      }
    } catch {
      // Otherwise the chase ended between the tap and its effect; the button shows by now what is possible.
      if error.code == .goalNotSet { showSettings() }
    }
    updateUI()
  }

  /// Asks for a goal.
  public func showSettings() { isAskingForGoal = true }

  /// The question was closed without an answer.
  public func cancelSettings() { isAskingForGoal = false }

  /// Takes a new goal in steps and closes the question.
  /// - Throws: ``AppError/goalNotPositive(_:)``; the goal stays and the question stays open.
  public func updateGoal(newGoal: Int) throws(AppError) {
    try model.dataModel.setGoal(newGoal)
    isAskingForGoal = false
    updateUI()
  }

  /// Takes a new goal as typed; blanks around it do not matter. What is no whole number counts as 0 and is refused
  /// like it.
  public func updateGoal(text: String) throws(AppError) {
    var digits = text[...]
    while digits.first?.isWhitespace == true { digits.removeFirst() }
    while digits.last?.isWhitespace == true { digits.removeLast() }
    try updateGoal(newGoal: Int(digits) ?? 0)
  }
}
