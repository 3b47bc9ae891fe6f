import Pedometry
import TestSupport
import Testing

@Suite("A pedometer's updates", .timeLimit(.minutes(30)))
struct PedometerUpdatesTests {
  private let mock = MockPedometer()

  @Test("each iterator starts a session, and gets its totals")
  func totals() async throws {
    var updates = mock.updates.makeAsyncIterator()
    #expect(mock.startCalled == 1)
    mock.sendData(MockData(steps: 3, distanceTravelled: 2))
    #expect(try await updates.next()?.steps == 3)
    mock.sendData(MockData(steps: 5, distanceTravelled: 4))
    #expect(try await updates.next()?.distanceTravelled == 4)
  }

  @Test("a slow consumer gets the latest totals")
  func latest() async throws {
    var updates = mock.updates.makeAsyncIterator()
    for steps in 1...4 { mock.sendData(MockData(steps: steps, distanceTravelled: 0)) }
    #expect(try await updates.next()?.steps == 4)
  }

  @Test("leaving the loop pauses the pedometer")
  func leaving() async throws {
    do {
      var updates = mock.updates.makeAsyncIterator()
      mock.sendData(MockData(steps: 1, distanceTravelled: 0))
      #expect(try await updates.next()?.steps == 1)
      #expect(mock.isRunning)
    }
    #expect(!mock.isRunning)
  }

  @Test("an error of the start, and one of the data, is thrown, and the pedometer paused", arguments: [true, false])
  func failure(isOfStart: Bool) async throws {
    if isOfStart { mock.error = MockPedometer.notAuthorizedError }
    var updates = mock.updates.makeAsyncIterator()
    if !isOfStart {
      mock.error = MockPedometer.dataError
      mock.sendData(nil)
    }
    await #expect(throws: isOfStart ? MockPedometer.notAuthorizedError : MockPedometer.dataError) {
      try await updates.next()
    }
    #expect(!mock.isRunning)
  }
}
