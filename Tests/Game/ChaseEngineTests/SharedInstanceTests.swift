import ChaseEngine
import Pedometry
import Synchronization
import TestSupport
import Testing

/// The shared instances, for code from the book. Only these tests use them, one after the other.
@Suite("shared instances", .serialized, .timeLimit(.minutes(30)))
@MainActor
struct SharedInstanceTests {
  @Test("a model is given its pedometer; by default there is no sensor")
  func given() throws {
    // given
    let mock = MockPedometer()
    let model = AppModel(pedometer: mock)
    try model.dataModel.setGoal(10)
    let other = AppModel()
    try other.dataModel.setGoal(10)
    // when
    try model.start()
    try other.start()
    // then
    #expect(mock.started)
    #expect(other.appState == .notStarted)
    #expect(other.alertCenter.topAlert == .noPedometer)
    #expect(mock.startCalled == 1)
  }

  @Test("a missing pedometer reports an error at once when started, once and without data")
  func noPedometer() {
    // given
    let data = Mutex(0)
    let events = Mutex<[PedometerError?]>([])
    // when
    NoPedometer().start(
      dataUpdates: { _, _ in data.withLock { $0 += 1 } },
      eventUpdates: { error in events.withLock { $0.append(error as? PedometerError) } })
    // then
    let told = events.withLock { $0 }
    #expect(told.count == 1 && told[0] == .notAvailable(reason: "this program has not set one"))
    #expect(data.withLock { $0 } == 0)
    #expect(!NoPedometer().pedometerAvailable && !NoPedometer().permissionDeclined)
  }

  @Test("the book's use of the shared instances: swap the pedometer, set a goal, start, listen, restart")
  func instances() throws {
    // given
    let mock = MockPedometer()
    AppModel.instance.pedometer = mock
    AlertCenter.instance.clearAlerts()
    var counts: [Int] = []
    let token = AlertCenter.listenForAlerts { counts.append($0.alertCount) }
    // when
    try AppModel.instance.dataModel.setGoal(4)
    try AppModel.instance.start()
    mock.sendData(MockData(steps: 1, distanceTravelled: 1))
    AppModel.instance.advance(to: .seconds(1))
    // then
    #expect(AppModel.instance.appState == .inProgress)
    #expect(counts == [1])
    // when
    AppModel.instance.restart()
    // then
    #expect(counts == [1, 0])
    #expect(!mock.isRunning)
    token.cancel()
  }
}
