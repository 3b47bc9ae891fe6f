import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// One or more tests for each of the oddities F1 to F20 of the founding game, which this one corrects.
@Suite("the founding oddities F1 to F10, corrected", .timeLimit(.minutes(30)))
struct OdditiesTests {
  private static let founding = ChaseSettings.founding

  @Test("F1: updates are totals of the session; 10, 20, 30 steps make 30, not 60")
  func f1Cumulative() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    for n in 1...3 { chase.send(steps: 10 * n, distance: 7 * Double(n)) }
    // then
    #expect(chase.model.dataModel.steps == 30)
    #expect(chase.model.dataModel.distance == 21)
  }

  @Test("F1: a resumed session counts from zero, in addition to the earlier steps")
  func f1Sessions() throws {
    // given
    let chase = try Chase.inProgress()
    chase.send(steps: 100, distance: 70)
    try chase.model.pause()
    try chase.model.start()
    // when
    chase.send(steps: 5, distance: 3.5)
    // then
    #expect(chase.model.dataModel.steps == 105)
    #expect(chase.model.dataModel.distance == 73.5)
  }

  @Test("F1: an update that drops adds nothing, nor does its recovery; invalid figures add nothing")
  func f1BadSamples() throws {
    // given
    let chase = try Chase.inProgress()
    chase.send(steps: 100, distance: 70)
    // when
    chase.send(steps: 40, distance: 30)
    chase.send(steps: 100, distance: .nan)
    chase.send(steps: -3, distance: -.infinity)
    chase.send(steps: 100, distance: .infinity)
    // then
    #expect(chase.model.dataModel.steps == 100)
    #expect(chase.model.dataModel.distance == 70)
  }

  @Test("F2: the fake's steps and metres are both totals and start again with each session")
  func f2Fake() throws {
    // given: 120 steps/min of 0.7 m
    let walker = SteadyWalker(cadence: 120, stepLength: 0.7)
    let model = AppModel(pedometer: walker)
    try model.dataModel.setGoal(1000)
    // when: 5 s, a pause, 5 s
    for _ in 1...2 {
      try model.start()
      walker.walk(for: .seconds(5))
      model.advance(to: model.now + .seconds(5))
      try model.pause()
    }
    // then
    #expect(model.dataModel.steps == 20)
    #expect(abs(model.dataModel.distance - 14) < 1e-9)
  }

  @Test("F3: observers of new steps see the new distance too, and are called once")
  func f3Atomic() throws {
    // given
    let chase = try Chase.inProgress(goal: 100)
    let data = chase.model.dataModel
    let hub = chase.model.alertCenter.notificationCenter
    var seen: [String] = []
    let tokens = [
      hub.addObserver(for: AlertNotification.name) { _ in seen.append("alert \(data.steps) \(data.distance)") },
      hub.addObserver(for: DataModel.updateNotification) { _ in seen.append("update \(data.steps) \(data.distance)") },
    ]
    // when
    chase.send(steps: 30, distance: 21)
    // then
    #expect(seen == ["alert 30 21.0", "update 30 21.0"])
    for token in tokens { token.cancel() }
  }

  @Test("F3: a goal is reached if the same steps also carry the walker away from Nessie")
  func f3CompletionSeesNewDistance() throws {
    // given: Nessie at 19 m of 10 m + head start
    let chase = try Chase.inProgress(goal: 100, settings: Self.founding)
    chase.wait(seconds: 1)
    chase.send(steps: 50, distance: 5)
    // when
    chase.pedometer.sendData(MockData(steps: 100, distanceTravelled: 15))
    chase.wait(seconds: 1)
    // then
    #expect(chase.model.appState == .completed)
  }

  @Test("F4, F5: a standing walker is warned twice and caught, without a step")
  func f4StandingWalker() throws {
    // given: 1.25 m/s, 20 m
    let chase = try Chase.inProgress()
    let log = AlertLog(chase.model.alertCenter)
    // when, then
    chase.wait(seconds: 7)
    #expect(log.added == [])
    chase.wait(seconds: 1)
    #expect(log.added == [.nessie50Percent])
    chase.wait(seconds: 7)
    #expect(log.added == [.nessie50Percent, .nessie90Percent])
    #expect(chase.model.appState == .inProgress)
    chase.wait(seconds: 1)
    #expect(log.added == [.nessie50Percent, .nessie90Percent, .caughtByNessie])
    #expect(chase.model.appState == .caught)
  }

  @Test("F4: each second of Nessie's is announced once, so the picture moves without steps")
  func f4ViewMoves() throws {
    // given
    let chase = try Chase.withGoal()
    let view = ChaseViewPartialMock()
    let controller = StepCountController(model: chase.model, chaseView: view)
    controller.startStopPause()
    let log = EventLog(chase.model)
    // when
    chase.wait(seconds: 3)
    // then
    #expect(log.frames.map(\.nessieDistance) == [1.25, 2.5, 3.75])
    #expect(view.updates.last?.y == 3.75 / 20)
  }

  @Test("F5: without a head start both at zero is not a catch, but the first stroke is")
  func f5NoHeadstart() throws {
    // given
    let rules = try ChaseSettings(velocity: 1, headstart: 0)
    let chase = try Chase.inProgress(settings: rules)
    #expect(!chase.model.dataModel.caught)
    #expect(chase.model.dataModel.nessieFraction == 0)
    // when
    chase.wait(seconds: 1)
    // then
    #expect(chase.model.appState == .caught)
  }

  @Test("F6: Nessie's fraction is her part of the way to the walker, and 1 exactly when the walker is caught")
  func f6Fraction() {
    // given
    let data = DataModel(settings: Self.founding)
    data.distance = 90
    // when, then
    #expect(data.nessieFraction == 0)
    data.nessie.distance = 25
    #expect(data.nessieFraction == 0.25)
    data.nessie.distance = 100.0.nextDown
    #expect(data.nessieFraction < 1)
    #expect(!data.caught)
    data.nessie.distance = 100
    #expect(data.nessieFraction == 1)
    #expect(data.caught)
    data.nessie.distance = 300
    #expect(data.nessieFraction == 1)
  }

  @Test("F7: speed and head start are settings, and invalid values are refused by name")
  func f7Settings() throws {
    let rules = try ChaseSettings(velocity: 2, headstart: 10)
    #expect(DataModel(settings: rules).nessie.velocity == 2)
    #expect(DataModel(settings: rules).headstart == 10)
    #expect(DataModel(settings: .founding).nessie.velocity == 9.5)
    #expect(DataModel(settings: .founding).headstart == 10)
    #expect(throws: InvalidChaseSetting.velocity(0)) {
      try ChaseSettings(velocity: 0, headstart: 10)
    }
    #expect(throws: InvalidChaseSetting.velocity(.infinity)) {
      try ChaseSettings(velocity: .infinity, headstart: 10)
    }
    #expect(throws: InvalidChaseSetting.headstart(-1)) {
      try ChaseSettings(velocity: 1, headstart: -1)
    }
  }

  @Test("F8: two chases have separate figures")
  func f8NoSingleton() throws {
    // given
    let one = try Chase.inProgress(goal: 10)
    let other = try Chase.inProgress(goal: 10)
    // when
    one.send(steps: 10, distance: 7)
    // then
    #expect(one.model.appState == .completed)
    #expect(other.model.appState == .inProgress)
    #expect(other.model.alertCenter.alertCount == 0)
  }

  @Test(
    "F9: every way out of a chase in progress stops the sensor once", arguments: [AppState.completed, .caught, .paused])
  func f9SensorStops(end: AppState) throws {
    // given, when
    let chase = try Chase.inState(end)
    // then
    #expect(!chase.pedometer.isRunning)
    #expect(chase.pedometer.pauseCalled == 1)
  }

  @Test("F9: restart stops the sensor, and a restart after that does not stop it again")
  func f9Restart() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    chase.model.restart()
    chase.model.restart()
    // then
    #expect(!chase.pedometer.isRunning)
    #expect(chase.pedometer.pauseCalled == 1)
  }

  @Test(
    "F9: updates after the end, or from an older session, have no effect",
    arguments: [AppState.completed, .caught, .paused, .notStarted])
  func f9LateSamples(end: AppState) throws {
    // given
    let chase = try Chase.inProgress()
    switch end {
    case .completed: try chase.model.setToComplete()
    case .caught: try chase.model.setToCaught()
    case .paused: try chase.model.pause()
    default: chase.model.restart()
    }
    let steps = chase.model.dataModel.steps
    let log = EventLog(chase.model)
    // when
    chase.send(steps: 500, distance: 350)
    chase.pedometer.sendEvent(MockPedometer.notAuthorizedError)
    chase.wait(seconds: 5)
    chase.model.handleData(data: MockData(steps: 600, distanceTravelled: 400), error: nil)
    chase.model.handleEvents(error: MockPedometer.notAuthorizedError)
    // then
    #expect(chase.model.dataModel.steps == steps)
    #expect(log.events == [])
    // when: the old session continues to deliver during a new one
    guard end == .paused else { return }
    try chase.model.start()
    chase.pedometer.sendData(MockData(steps: 700, distanceTravelled: 450), session: 0)
    chase.pedometer.sendEvent(MockPedometer.notAuthorizedError, session: 0)
    chase.wait(seconds: 0)
    // then
    #expect(chase.model.dataModel.steps == steps)
    #expect(chase.model.appState == .inProgress)
  }

  @Test("F10: a second start neither doubles Nessie's speed nor starts the sensor again")
  func f10SecondStart() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    try chase.model.start()
    chase.wait(seconds: 4)
    // then
    #expect(chase.model.dataModel.nessie.distance == 5)
    #expect(chase.pedometer.startCalled == 1)
  }
}
