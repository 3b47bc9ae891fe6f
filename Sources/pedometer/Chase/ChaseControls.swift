import ChaseEngine

/// The keys of the terminal game and what they do; no terminal in here.
final class ChaseControls {
  /// What a key asks of whoever has the terminal.
  enum Request: Hashable {
    case quit, suspend, redraw
  }

  /// The chase.
  let owner: ChaseOwner
  /// Its screen without a screen.
  let root: RootViewController
  /// What was typed so far as an answer to the question for a goal.
  private(set) var typedGoal = ""
  /// What was wrong with the last answer.
  private(set) var complaint: String?
  /// Hears of alerts that are dismissed.
  var reports: ChaseReports?
  /// Whether the walker wanted to start and was asked for a goal.
  private var startsWithGoal = false

  /// The longest goal that can be typed.
  private static let digits = 9

  /// Controls a chase.
  init(owner: ChaseOwner) {
    self.owner = owner
    root = RootViewController(model: owner.model)
  }

  /// The picture of what is there to see.
  var screen: ChaseScreen {
    ChaseScreen(
      of: root, source: owner.source.name, typedGoal: typedGoal, suggestedGoal: suggestedGoal, complaint: complaint)
  }

  /// What an empty answer means.
  private var suggestedGoal: Int { owner.model.dataModel.goal ?? StepCountController.suggestedGoal }

  /// Does what a key stands for.
  func press(_ key: Key) -> Request? {
    switch key {
    case .interrupt: return .quit
    case .redraw: return .redraw
    case .suspend:
      try? owner.model.pause()
      return .suspend
    default: break
    }
    if root.stepController.isAskingForGoal {
      answer(key)
      return nil
    }
    switch key {
    case .character(" "), .enter: tapButton()
    case .character("d"): closeAlert()
    case .character("r"): owner.restart()
    case .character("g"): askForGoal()
    case .character("q"): return .quit
    default: break
    }
    return nil
  }

  private func tapButton() {
    switch owner.model.appState {
    case .completed, .caught: owner.restart()
    case .notStarted, .inProgress, .paused:
      root.stepController.startStopPause()
      startsWithGoal = root.stepController.isAskingForGoal
    }
  }

  private func closeAlert() {
    if owner.model.alertCenter.topAlert != nil { reports?.alertClosed() }
    root.alertController.closeAlert()
  }

  private func askForGoal() {
    startsWithGoal = false
    root.stepController.showSettings()
  }

  private func answer(_ key: Key) {
    complaint = nil
    switch key {
    case .character(let digit) where digit.isNumber:
      if typedGoal.count < Self.digits { typedGoal.append(digit) }
    case .backspace: if !typedGoal.isEmpty { typedGoal.removeLast() }
    case .escape, .character("q"): close()
    case .enter: takeGoal()
    default: break
    }
  }

  private func takeGoal() {
    do throws(AppError) {
      try root.stepController.updateGoal(text: typedGoal.isEmpty ? "\(suggestedGoal)" : typedGoal)
      let starts = startsWithGoal
      close()
      if starts { root.stepController.startStopPause() }
    } catch {
      complaint = "at least 1 step"
      typedGoal = ""
    }
  }

  private func close() {
    typedGoal = ""
    startsWithGoal = false
    root.stepController.cancelSettings()
  }
}
