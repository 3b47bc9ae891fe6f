import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// Events and figures, as a terminal or an event line needs them.
@Suite("ChaseEvent", .timeLimit(.minutes(30)))
struct ChaseEventTests {
  /// The events of a chase to 300 steps while its walker walks for 200 s.
  private func chase(_ walker: SteadyWalker) throws -> EventLog {
    let model = AppModel(pedometer: walker)
    let log = EventLog(model)
    try model.dataModel.setGoal(300)
    try model.start()
    walker.walk(for: .seconds(200))
    model.advance(to: .seconds(200))
    return log
  }

  @Test("a won chase: states, milestones once each and in order, then completed as the last event")
  func won() throws {
    // given
    let walker = SteadyWalker(cadence: 120, stepLength: 0.756)
    // when
    let log = try chase(walker)
    // then
    #expect(log.states == [.inProgress, .completed])
    #expect(
      log.alerts.filter { $0.severity == .good } == [
        .milestone25Percent, .milestone50Percent, .milestone75Percent, .goalComplete,
      ])
    #expect(log.events.last == .state(time: .seconds(150), .completed))
    #expect(log.frames.last?.steps == 300)
  }

  @Test("a lost chase: Nessie's three warnings in order, then caught as the last event")
  func lost() throws {
    // given
    let walker = SteadyWalker(cadence: 80, stepLength: 0.672)
    // when
    let log = try chase(walker)
    // then
    #expect(log.alerts.filter { $0.severity == .bad } == [.nessie50Percent, .nessie90Percent, .caughtByNessie])
    #expect(log.states == [.inProgress, .caught])
    guard case .state(let time, .caught) = log.events.last else { return #expect(Bool(false), "not caught last") }
    #expect(time < .seconds(100))
    #expect(log.frames.last?.nessie == 1)
  }

  @Test("at one instant, alerts come first, then the figures, then the state")
  func order() throws {
    // given
    let chase = try Chase.inProgress(goal: 4)
    let log = EventLog(chase.model)
    // when
    chase.send(steps: 4, distance: 3)
    // then
    let kinds = log.events.map { event in
      switch event {
      case .alert: "alert"
      case .chase: "chase"
      case .state: "state"
      }
    }
    #expect(kinds == ["alert", "alert", "alert", "alert", "chase", "state"])
  }

  @Test("a run after a restart announces its milestones again, even if the first run's cards were not dismissed")
  func secondRun() throws {
    // given
    let chase = try Chase.inProgress(goal: 4)
    chase.send(steps: 4, distance: 3)
    chase.model.alertCenter.postAlert(alert: .dataAlert)
    let log = EventLog(chase.model)
    // when
    chase.model.restart()
    #expect(chase.model.alertCenter.topAlert == .dataAlert)
    #expect(chase.model.alertCenter.alertCount == 1)
    try chase.model.dataModel.setGoal(4)
    try chase.model.start()
    chase.send(steps: 4, distance: 3)
    // then
    #expect(log.alerts == [.milestone25Percent, .milestone50Percent, .milestone75Percent, .goalComplete])
    #expect(log.states == [.notStarted, .inProgress, .completed])
  }

  @Test("a released reporter reports nothing, and does not retain the chase")
  func lifetime() throws {
    // given
    let chase = try Chase.inProgress()
    var count = 0
    var reporter: ChaseReporter? = ChaseReporter(model: chase.model) { _ in count += 1 }
    chase.wait(seconds: 1)
    #expect(count == 1)
    #expect(reporter != nil)
    // when
    reporter = nil
    chase.wait(seconds: 1)
    // then
    #expect(count == 1)
  }
}

@Suite("ChaseFrame", .timeLimit(.minutes(30)))
struct ChaseFrameTests {
  @Test("gap, pace, cadence and the time until caught agree with a manual calculation")
  func figures() throws {
    // given: 60 steps/min of 0.5 m against 1.25 m/s with 20 m
    let walker = SteadyWalker(cadence: 60, stepLength: 0.5)
    let model = AppModel(pedometer: walker)
    try model.dataModel.setGoal(100)
    try model.start()
    walker.walk(for: .seconds(12))
    // when
    model.advance(to: .seconds(12))
    // then: 6 m + 20 m − 15 m = 11 m, which 0.75 m/s close in 14.67 s
    let frame = ChaseFrame(of: model)
    #expect(frame.time == .seconds(12))
    #expect(frame.steps == 12)
    #expect(frame.goal == 100)
    #expect(frame.distance == 6)
    #expect(frame.nessieDistance == 15)
    #expect(frame.gap == 11)
    #expect(frame.runner == 0.12)
    #expect(abs(frame.nessie - 15.0 / 26) < 1e-12)
    #expect(frame.cadence == 1)
    #expect(frame.velocity == 0.5)
    #expect(frame.nessieVelocity == 1.25)
    let seconds = try #require(frame.timeUntilCaught) / .seconds(1)
    #expect(abs(seconds - 11 / 0.75) < 1e-9)
  }

  @Test("a walker faster than Nessie is never caught, and there is no time until caught during a pause")
  func never() throws {
    // given
    let walker = SteadyWalker(cadence: 120, stepLength: 0.75)
    let model = AppModel(pedometer: walker)
    try model.dataModel.setGoal(1000)
    try model.start()
    walker.walk(for: .seconds(20))
    model.advance(to: .seconds(20))
    #expect(ChaseFrame(of: model).timeUntilCaught == nil)
    // when: he stands for ten seconds
    model.advance(to: .seconds(30))
    #expect(ChaseFrame(of: model).cadence == 0)
    #expect(ChaseFrame(of: model).timeUntilCaught != nil)
    // when
    try model.pause()
    // then
    #expect(ChaseFrame(of: model).timeUntilCaught == nil)
  }

  @Test("the time of a run excludes the time before it, pauses, and the time after it")
  func elapsed() throws {
    // given
    let chase = try Chase.withGoal()
    chase.wait(seconds: 5)
    // when, then
    try chase.model.start()
    chase.wait(seconds: 3.5)
    #expect(ChaseFrame(of: chase.model).elapsed == .seconds(3.5))
    chase.model.pedometer = MockPedometer()
    chase.wait(seconds: 1)
    try chase.model.pause()
    chase.wait(seconds: 60)
    #expect(ChaseFrame(of: chase.model).elapsed == .seconds(4.5))
    try chase.model.start()
    chase.wait(seconds: 60)
    #expect(chase.model.appState == .caught)
    #expect(ChaseFrame(of: chase.model).elapsed == .seconds(16))
    chase.model.restart()
    #expect(ChaseFrame(of: chase.model).elapsed == .zero)
  }

  @Test("the cadence of bursts is averaged over ten seconds")
  func bursts() throws {
    // given: eight steps reported at once after four seconds, as by a detector
    let chase = try Chase.inProgress()
    chase.pedometer.sendData(WalkTotals(steps: 8, distanceTravelled: 6, elapsed: .seconds(4)))
    // when, then
    chase.model.advance(to: .seconds(4))
    #expect(ChaseFrame(of: chase.model).cadence == 2)
    #expect(ChaseFrame(of: chase.model).velocity == 1.5)
    chase.model.advance(to: .seconds(10))
    #expect(ChaseFrame(of: chase.model).cadence == 0.8)
    chase.model.advance(to: .seconds(15))
    #expect(ChaseFrame(of: chase.model).cadence == 0)
  }

  @Test("before any movement there is no pace and nothing overflows")
  func before() {
    let frame = ChaseFrame(of: Chase().model)
    #expect(frame.cadence == 0)
    #expect(frame.velocity == 0)
    #expect(frame.goal == nil)
    #expect(frame.timeUntilCaught == nil)
    #expect(frame.gap == 20)
  }
}
