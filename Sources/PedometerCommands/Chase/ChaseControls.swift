import ChaseEngine

/// The keys of the terminal game and what they do; no terminal in here.
final class ChaseControls {
  /// What a key asks of the owner of the terminal.
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
  /// The room; `nil` for a chase of one's own.
  let race: RaceSession?
  /// What was typed so far to be said in the room; `nil` while nobody talks.
  private(set) var typedMessage: String?
  /// Whether the walker wanted to start and was asked for a goal.
  private var startsWithGoal = false

  /// The longest goal that can be typed.
  private static let digits = 9

  /// A room takes no longer message.
  private static let longestMessage = 500

  /// Controls a chase.
  init(owner: ChaseOwner, race: RaceSession? = nil) {
    self.owner = owner
    self.race = race
    root = RootViewController(model: owner.model)
  }

  /// The picture of what is there to see.
  var screen: ChaseScreen {
    var screen = ChaseScreen(
      of: root, source: owner.source.name, typedGoal: typedGoal, suggestedGoal: suggestedGoal, complaint: complaint)
    screen.room = race.map { ChaseScreen.Room(standings: $0.standings, typedMessage: typedMessage) }
    return screen
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
    if typedMessage != nil {
      talk(key)
      return nil
    }
    switch key {
    case .character(" "), .enter: tapButton()
    case .character("d"): closeAlert()
    case .character("r"): owner.restart()
    case .character("g"): askForGoal()
    case .character("t"): typedMessage = race == nil ? nil : ""
    case .character("c"): race?.countDown()
    case .character("q"): return .quit
    default: break
    }
    return nil
  }

  private func talk(_ key: Key) {
    switch key {
    case .character(let character):
      if typedMessage?.count ?? 0 < Self.longestMessage { typedMessage?.append(character) }
    case .backspace: if typedMessage?.isEmpty == false { typedMessage?.removeLast() }
    case .escape: typedMessage = nil
    case .enter:
      race?.say(typedMessage ?? "")
      typedMessage = nil
    default: break
    }
  }

  private func tapButton() {
    // In a room all begin at once.
    if let race, owner.model.appState == .notStarted || owner.model.appState.isOver {
      if owner.model.dataModel.goal == nil { askForGoal() } else { race.countDown() }
      return
    }
    switch owner.model.appState {
    case .completed, .caught: owner.restart()
    case .notStarted, .inProgress, .paused:
      root.stepController.startStopPause()
      startsWithGoal = root.stepController.isAskingForGoal
    }
  }

  private func closeAlert() {
    // What lies on top of the screen's cards.
    guard let latest = owner.model.alertCenter.alerts.last else { return }
    reports?.alertClosed()
    owner.model.alertCenter.clear(alert: latest)
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

extension AppState {
  /// Whether the chase has come to its end.
  var isOver: Bool { self == .completed || self == .caught }
}
