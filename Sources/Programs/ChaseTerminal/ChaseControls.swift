import ChaseEngine
import RaceRoom
import Terminals

/// The keys of the terminal game and their effects, without a terminal.
package final class ChaseControls {
  /// A key's request to the owner of the terminal.
  enum Request: Hashable {
    case quit, suspend, redraw
  }

  let owner: ChaseOwner
  let diary: ChaseDiary
  /// Its controllers without a screen.
  let root: RootViewController
  /// The typed part of an answer to the question for a goal.
  private(set) var typedGoal = ""
  private(set) var complaint: String?
  /// Gets the dismissed alerts.
  package var reports: ChaseReports?
  /// The room; `nil` for a chase without a room.
  let race: RaceSession?
  /// The typed part of a message to the room; `nil` if no message is being typed.
  private(set) var typedMessage: String?
  private var motion: ChaseMotion
  private var startsWithGoal = false

  private static let digits = 9

  private static let longestMessage = 500

  /// Controls a chase.
  /// - Parameter isCalm: whether the picture is to change without motion.
  package init(owner: ChaseOwner, race: RaceSession? = nil, isCalm: Bool = false) {
    (self.owner, self.race) = (owner, race)
    motion = ChaseMotion(isCalm: isCalm)
    diary = ChaseDiary(of: owner.model)
    root = RootViewController(model: owner.model)
  }

  func move(by time: Duration) {
    motion.advance(to: ChaseFrame(of: owner.model), by: time, opponents: opponents.map { ($0.user, $0.distance) })
  }

  private var opponents: [RunnerFrame] { race?.standings.opponents ?? [] }

  var screen: ChaseScreen {
    var screen = ChaseScreen(
      of: root, source: owner.source.name, diary: diary, typedGoal: typedGoal, suggestedGoal: suggestedGoal,
      complaint: complaint, scene: motion.scene(opponents: opponents.map { ($0.user, $0.state) }))
    (screen.room, screen.typedMessage) = (race?.standings, typedMessage)
    return screen
  }

  /// The goal for an empty answer.
  private var suggestedGoal: Int { owner.model.dataModel.goal ?? StepCountController.suggestedGoal }

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
    // In a room all begin at the same time.
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
    // The top card of the screen.
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
  /// Whether the chase has ended.
  package var isOver: Bool { self == .completed || self == .caught }
}
