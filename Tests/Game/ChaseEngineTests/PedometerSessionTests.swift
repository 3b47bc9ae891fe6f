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

@Suite("PendingInputs", .timeLimit(.minutes(30)))
struct PendingInputsTests {
  private func steps(of content: PedometerMailbox.Content?) -> Int? {
    if case .data(let data)? = content { data.steps } else { nil }
  }

  private func input(_ steps: Int) -> PedometerMailbox.Content {
    .data(MockData(steps: steps, distanceTravelled: 0))
  }

  @Test("inputs come out in order of delivery, each when it is due and never before an earlier one")
  func order() {
    // given
    var sut = PendingInputs()
    sut.append(input(1), at: .seconds(5))
    sut.append(input(2), at: .seconds(3))
    sut.append(input(3), at: .seconds(8))
    // when, then
    #expect(sut.nextTime == .seconds(5))
    #expect(steps(of: sut.next(until: .seconds(4))) == nil)
    #expect(steps(of: sut.next(until: .seconds(5))) == 1)
    #expect(steps(of: sut.next(until: .seconds(5))) == 2)
    #expect(steps(of: sut.next(until: .seconds(5))) == nil)
    #expect(sut.nextTime == .seconds(8))
    sut.removeAll()
    #expect(sut.nextTime == nil)
  }

  @Test("a sensor that is always slightly ahead does not fill the memory")
  func noGrowth() {
    // given
    var sut = PendingInputs()
    // when: two always wait
    var taken: [Int] = []
    for n in 0..<10_000 {
      sut.append(input(n), at: .seconds(n))
      if let steps = steps(of: sut.next(until: .seconds(n - 2))) { taken.append(steps) }
    }
    // then
    #expect(taken == Array(0..<9998))
    #expect(sut.capacity <= 130)
  }
}
