import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The states, their labels, and the transition table: each of its 25 cells, in the table and in the model.
@Suite("AppState", .timeLimit(.minutes(30)))
struct AppStateTests {
  /// A cell of the table, written out by hand from the founding page and not from the code.
  struct Cell: Sendable, CustomTestStringConvertible {
    let state: AppState
    let trigger: AppState.Trigger
    let reply: AppState.Reply
    var testDescription: String { "\(state), \(trigger) → \(reply)" }
  }

  static let table: [Cell] = [
    Cell(state: .notStarted, trigger: .start, reply: .moves(to: .inProgress)),
    Cell(state: .notStarted, trigger: .pause, reply: .refuses),
    Cell(state: .notStarted, trigger: .restart, reply: .moves(to: .notStarted)),
    Cell(state: .notStarted, trigger: .goalReached, reply: .moves(to: .completed)),
    Cell(state: .notStarted, trigger: .caught, reply: .moves(to: .caught)),
    Cell(state: .inProgress, trigger: .start, reply: .stays),
    Cell(state: .inProgress, trigger: .pause, reply: .moves(to: .paused)),
    Cell(state: .inProgress, trigger: .restart, reply: .moves(to: .notStarted)),
    Cell(state: .inProgress, trigger: .goalReached, reply: .moves(to: .completed)),
    Cell(state: .inProgress, trigger: .caught, reply: .moves(to: .caught)),
    Cell(state: .paused, trigger: .start, reply: .moves(to: .inProgress)),
    Cell(state: .paused, trigger: .pause, reply: .stays),
    Cell(state: .paused, trigger: .restart, reply: .moves(to: .notStarted)),
    Cell(state: .paused, trigger: .goalReached, reply: .moves(to: .completed)),
    Cell(state: .paused, trigger: .caught, reply: .moves(to: .caught)),
    Cell(state: .completed, trigger: .start, reply: .refuses),
    Cell(state: .completed, trigger: .pause, reply: .refuses),
    Cell(state: .completed, trigger: .restart, reply: .moves(to: .notStarted)),
    Cell(state: .completed, trigger: .goalReached, reply: .stays),
    Cell(state: .completed, trigger: .caught, reply: .refuses),
    Cell(state: .caught, trigger: .start, reply: .refuses),
    Cell(state: .caught, trigger: .pause, reply: .refuses),
    Cell(state: .caught, trigger: .restart, reply: .moves(to: .notStarted)),
    Cell(state: .caught, trigger: .goalReached, reply: .refuses),
    Cell(state: .caught, trigger: .caught, reply: .stays),
  ]

  @Test("the table has a cell for each state and trigger, once")
  func tableIsComplete() {
    let cells = Set(Self.table.map { "\($0.state) \($0.trigger)" })
    #expect(cells.count == AppState.allCases.count * AppState.Trigger.allCases.count)
    #expect(Self.table.count == cells.count)
  }

  @Test("the transition table has this cell", arguments: table)
  func reply(_ cell: Cell) {
    #expect(cell.state.reply(to: cell.trigger) == cell.reply)
  }

  @Test("the chase follows the table, announces it once, and is active only in progress", arguments: table)
  func model(_ cell: Cell) throws {
    // given
    let chase = try Chase.inState(cell.state)
    #expect(chase.model.appState == cell.state)
    try prepare(chase.model.dataModel, for: cell)
    #expect(chase.model.appState == cell.state)
    var announced: [AppState] = []
    var wasRight = true
    chase.model.stateChangedCallback = { model in
      announced.append(model.appState)
      wasRight = wasRight && chase.isRunning == (model.appState == .inProgress)
    }
    // when
    let error = pull(cell.trigger, of: chase.model)
    // then
    switch cell.reply {
    case .moves(let state):
      #expect(error == nil)
      #expect(chase.model.appState == state)
      #expect(announced == [state])
    case .stays:
      #expect(error == nil)
      #expect(chase.model.appState == cell.state)
      #expect(announced == [])
    case .refuses:
      #expect(error == .invalidState(cell.state))
      #expect(chase.model.appState == cell.state)
      #expect(announced == [])
    }
    #expect(wasRight)
    #expect(chase.isRunning == (chase.model.appState == .inProgress))
  }

  /// Sets the figures so that only the table decides. Distances alone check nothing, so the state does not change.
  private func prepare(_ data: DataModel, for cell: Cell) throws {
    switch (cell.trigger, cell.state) {
    case (.goalReached, .caught): return
    case (.goalReached, _):
      let isOn = cell.state == .inProgress
      try data.setGoal(isOn ? 1 : 100)
      // During the chase, the figures themselves would end it; adding without checks keeps the trigger separate.
      if !isOn { data.steps = 100 }
    case (.caught, _): data.nessie.distance = data.distance + data.headstart
    default: break
    }
  }

  private func pull(_ trigger: AppState.Trigger, of model: AppModel) -> AppError? {
    do throws(AppError) {
      switch trigger {
      case .start: try model.start()
      case .pause: try model.pause()
      case .restart: model.restart()
      case .goalReached where model.appState == .inProgress: model.dataModel.steps = 1
      case .goalReached: try model.setCompleted()
      case .caught: try model.setCaught()
      }
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "the button names the action of a tap",
    arguments: [
      (AppState.notStarted, "Start"), (.inProgress, "Pause"), (.paused, "Resume"), (.caught, "Try Again"),
      (.completed, "Start Over"),
    ])
  func label(state: AppState, label: String) {
    #expect(state.nextStateButtonLabel == label)
  }

  @Test("a start prevented by a guard does not change the state", arguments: [AppState.notStarted, .paused])
  func guards(state: AppState) throws {
    // given
    let chase = try Chase.inState(state)
    chase.pedometer.pedometerAvailable = false
    // when
    try chase.model.start()
    // then
    #expect(chase.model.appState == state)
    #expect(chase.isRunning == false)
  }

  @Test("the goal is checked before the sensor, the sensor before the permission")
  func orderOfGuards() throws {
    // given
    let chase = Chase()
    chase.pedometer.pedometerAvailable = false
    chase.pedometer.permissionDeclined = true
    let log = AlertLog(chase.model.alertCenter)
    // when, then
    #expect(throws: AppError.goalNotSet) { try chase.model.start() }
    #expect(log.added == [])
    // when, then
    try chase.model.dataModel.setGoal(10)
    try chase.model.start()
    #expect(log.added == [.noPedometer])
  }
}
