import GoalKeeper
import Pedometry
import Synchronization
import Testing

/// A pedometer with steps from the test.
private final class FakePedometer: Pedometer {
  typealias DataUpdates = @Sendable ((any PedometerData)?, (any Error)?) -> Void

  let pedometerAvailable: Bool
  let permissionDeclined = false
  private let handler = Mutex<DataUpdates?>(nil)

  init(isAvailable: Bool = true) { pedometerAvailable = isAvailable }

  func start(dataUpdates: @escaping DataUpdates, eventUpdates: @escaping @Sendable ((any Error)?) -> Void) {
    handler.withLock { $0 = dataUpdates }
    eventUpdates(nil)
  }

  func pause() { handler.withLock { $0 = nil } }

  func walk(to steps: Int) {
    handler.withLock { $0 }?(WalkTotals(steps: steps, distanceTravelled: Double(steps) * 0.7), nil)
  }
}

@Suite("Goal keeper") struct GoalKeeperTests {
  @Test("a goal is reported once, when it is reached")
  func once() {
    let pedometer = FakePedometer()
    let told = Mutex<[Int]>([])
    #expect(GoalKeeper(pedometer: pedometer).start(goal: 100) { steps in told.withLock { $0.append(steps) } })
    pedometer.walk(to: 99)
    #expect(told.withLock { $0 } == [])
    pedometer.walk(to: 101)
    pedometer.walk(to: 102)
    #expect(told.withLock { $0 } == [101])
  }

  @Test("without a sensor it reports that")
  func missing() {
    #expect(!GoalKeeper(pedometer: FakePedometer(isAvailable: false)).start(goal: 1) { _ in })
  }
}
