import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The second half of the twenty oddities.
@Suite("the founding oddities F11 to F20, corrected", .timeLimit(.minutes(30)))
struct LaterOdditiesTests {
  private static let founding = ChaseSettings.founding

  @Test("F11: a denial after the start posts the alert and pauses; Nessie waits")
  func f11Denial() throws {
    // given
    let chase = try Chase.inProgress()
    let log = EventLog(chase.model)
    // when
    chase.pedometer.sendEvent(MockPedometer.notAuthorizedError)
    chase.wait(seconds: 60)
    // then
    #expect(log.alerts == [.notAuthorized])
    #expect(log.states == [.paused])
    #expect(chase.isRunning == false)
    #expect(chase.model.dataModel.nessie.distance == 0)
  }

  @Test("F11: a sensor lost during the chase posts the data alert and pauses; the chase can be resumed")
  func f11SensorLost() throws {
    // given
    let chase = try Chase.inProgress()
    chase.send(steps: 100, distance: 70)
    let log = EventLog(chase.model)
    chase.pedometer.error = MockPedometer.dataError
    // when
    chase.pedometer.sendData(nil)
    chase.wait(seconds: 1)
    // then
    #expect(log.alerts == [.dataAlert])
    #expect(log.alerts.first?.detail == "no such device")
    #expect(log.states == [.paused])
    // when
    chase.pedometer.error = nil
    try chase.model.start()
    chase.send(steps: 1, distance: 0.7)
    // then
    #expect(chase.model.dataModel.steps == 101)
  }

  @Test("F12: restart announces once, after everything is cleared")
  func f12Restart() throws {
    // given
    let chase = try Chase.inProgress()
    chase.send(steps: 300, distance: 200)
    chase.wait(seconds: 10)
    var seen: [String] = []
    let data = chase.model.dataModel
    chase.model.stateChangedCallback = {
      seen.append("\($0.appState) \(data.steps) \(data.distance) \(data.nessie.distance) \(data.sentAlerts.count)")
    }
    let log = EventLog(chase.model)
    // when
    chase.model.restart()
    // then
    #expect(seen == ["notStarted 0 0.0 0.0 0"])
    #expect(log.states == [.notStarted])
    #expect(log.frames.map(\.steps) == [0])
    #expect(log.frames.map(\.nessieDistance) == [0])
  }

  @Test("F13: no good news once caught")
  func f13NoGoodNewsWhenCaught() throws {
    // given
    let data = DataModel(settings: Self.founding)
    try data.setGoal(100)
    data.distance = 5
    data.nessie.distance = 15
    // when
    data.steps = 100
    // then
    #expect(data.sentAlerts == [.nessie50Percent, .nessie90Percent, .caughtByNessie])
  }

  @Test("F13: a goal has to be above zero; the old one stays", arguments: [0, -1, .min])
  func f13Goal(_ goal: Int) throws {
    // given
    let data = DataModel()
    try data.setGoal(100)
    // when, then
    #expect(throws: AppError.goalNotPositive(goal)) { try data.setGoal(goal) }
    #expect(data.goal == 100)
    #expect(data.sentAlerts == [])
  }

  @Test("F14: closing the last alert is posted, hides the container, and empties the card")
  func f14Clearing() throws {
    // given
    let chase = Chase()
    let root = RootViewController(model: chase.model)
    let log = AlertLog(chase.model.alertCenter)
    chase.model.alertCenter.postAlert(alert: .noPedometer)
    #expect(!root.alertContainerIsHidden)
    // when
    root.alertController.closeAlert()
    // then
    #expect(log.cleared == [.noPedometer])
    #expect(root.alertContainerIsHidden)
    #expect(root.alertController.shown.alertText == nil)
  }

  @Test("F15: a listener can stop listening, and stops when its token is released")
  func f15Token() {
    // given
    let center = AlertCenter()
    var calls = 0
    var token: ListenToken? = center.listenForAlerts { _ in calls += 1 }
    center.postAlert(alert: .dataAlert)
    #expect(calls == 1)
    // when
    token?.cancel()
    center.postAlert(alert: .noPedometer)
    // then
    #expect(calls == 1)
    #expect(token?.isListening == false)
    // when
    token = center.listenForAlerts { _ in calls += 10 }
    token = nil
    center.clearAlerts()
    // then
    #expect(calls == 1)
  }

  @Test("F16: data from other threads changes the chase only when the owner collects it")
  func f16Threads() async throws {
    // given
    let mock = MockPedometer()
    let model = AppModel(pedometer: mock)
    try model.dataModel.setGoal(100_000)
    try model.start()
    // when: several tasks on threads other than the owner's
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for n in 1...250 { mock.sendData(MockData(steps: task * 250 + n, distanceTravelled: 0)) }
        }
      }
    }
    // then
    #expect(model.dataModel.steps == 0)
    // when
    model.advance(to: model.now)
    // then: the largest total, whatever the order
    #expect(model.dataModel.steps == 1000)
  }

  @Test("F17: a running chase that is released is deallocated, with Nessie, and stops its sensor")
  func f17NoCycle() throws {
    // given
    let mock = MockPedometer()
    weak var nessie: Nessie?
    weak var weakModel: AppModel?
    do {
      let model = AppModel(pedometer: mock)
      let root = RootViewController(model: model)
      let log = EventLog(model)
      try model.dataModel.setGoal(10)
      try model.start()
      model.advance(to: .seconds(3))
      nessie = model.dataModel.nessie
      weakModel = model
      #expect(nessie?.isSleeping == false)
      #expect(root.stepController.startButtonTitle == "Pause")
      #expect(log.frames.count == 4)  // the goal and three strokes
    }
    // then
    #expect(nessie == nil)
    #expect(weakModel == nil)
    #expect(mock.pauseCalled == 1)
  }

  @Test("F18: the label shows steps and goal")
  func f18Label() throws {
    // given
    let chase = Chase()
    let sut = StepCountController(model: chase.model)
    #expect(sut.stepCountLabel == "0 steps")
    // when
    try chase.model.dataModel.setGoal(1000)
    try chase.model.start()
    chase.send(steps: 42, distance: 30)
    // then
    #expect(sut.stepCountLabel == "42 of 1000 steps")
  }

  @Test("F19: alerts are equal by their kind, whatever their text and severity")
  func f19Kinds() {
    // given
    let kind = Alert.Kind(rawValue: "mine")
    let one = Alert(kind: kind, text: "one", severity: .good)
    // then
    #expect(one == Alert(kind: kind, text: "two", severity: .bad))
    #expect(one != Alert(kind: Alert.Kind(rawValue: "yours"), text: "one", severity: .good))
    #expect(Alert.notAuthorized == Alert.notAuthorized.with(detail: "allow it"))
    #expect(Set(Alert.catalogue).count == 10)
  }

  @Test("F20: another goal resets the milestones; the same goal does not")
  func f20NewGoal() throws {
    // given
    let data = DataModel()
    try data.setGoal(100)
    data.steps = 50
    #expect(data.sentAlerts == [.milestone25Percent, .milestone50Percent])
    // when, then
    try data.setGoal(100)
    #expect(data.sentAlerts == [.milestone25Percent, .milestone50Percent])
    // when, then
    try data.setGoal(200)
    #expect(data.sentAlerts == [])
    data.steps = 51
    #expect(data.sentAlerts == [.milestone25Percent])
  }

  @Test("F20: a new goal does not reset Nessie's warnings")
  func f20Warnings() throws {
    // given
    let data = DataModel()
    try data.setGoal(100)
    data.updateNessie(distance: 10)
    // when
    try data.setGoal(200)
    // then
    #expect(data.sentAlerts == [.nessie50Percent])
  }
}
