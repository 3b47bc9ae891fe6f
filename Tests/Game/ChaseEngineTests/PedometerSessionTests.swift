import Pedometry
import TestSupport
import Testing

@testable import ChaseEngine

@Suite("PedometerSession", .timeLimit(.minutes(30)))
struct PedometerSessionTests {
  @Test("growth is counted over the largest totals so far, separately for steps and metres")
  func growth() {
    // given
    var session = PedometerSession(number: 1, beginning: .zero)
    // when
    let updates = [(10, 7.0), (8, 9.0), (12, 8.0), (12, 10.0)].map { MockData(steps: $0, distanceTravelled: $1) }
    let growth = updates.map { session.growth(to: $0) }
    // then
    #expect(growth.map(\.steps) == [10, 0, 2, 0])
    #expect(growth.map(\.distance) == [7, 2, 0, 1])
  }

  @Test("an update has a time only if it states one")
  func time() {
    let session = PedometerSession(number: 1, beginning: .seconds(100))
    #expect(session.time(of: MockData(steps: 1, distanceTravelled: 1)) == nil)
    #expect(session.time(of: WalkTotals(steps: 1, distanceTravelled: 1)) == nil)
    #expect(session.time(of: WalkTotals(steps: 1, distanceTravelled: 1, elapsed: .seconds(-3))) == nil)
    #expect(session.time(of: WalkTotals(steps: 1, distanceTravelled: 1, elapsed: .seconds(3))) == .seconds(103))
  }
}
