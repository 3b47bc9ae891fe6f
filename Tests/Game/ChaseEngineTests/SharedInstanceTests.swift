import ChaseEngine
import Pedometry
import Synchronization
import TestSupport
import Testing

/// The shared instances, for code from the book. Only these tests use them, one after the other.
@Suite("shared instances", .serialized, .timeLimit(.minutes(30)))
@MainActor
struct SharedInstanceTests {
  @Test("the factory creates the pedometer of a model without one; by default there is no sensor")
  func factory() throws {
    // given
    let original = AppModel.pedometerFactory
    defer { AppModel.pedometerFactory = original }
    // then
    #expect(!original().pedometerAvailable)
    // when
    let mock = MockPedometer()
    AppModel.pedometerFactory = { mock }
    let model = AppModel()
    try model.dataModel.setGoal(10)
    try model.start()
    // then
    #expect(mock.started)
    // a model that is given a pedometer does not call the factory
    let other = AppModel(pedometer: NoPedometer())
    try other.dataModel.setGoal(10)
    try other.start()
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
    #expect(told.count == 1 && told[0]?.code == .notAvailable)
    #expect(told.allSatisfy { $0?.detail.isEmpty == false })
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
