import Pedometry
import Testing

@Suite("A count that falls", .timeLimit(.minutes(30)))
struct CountFallTests {
  @Test("begins near zero after a restart, and is a few less after a correction; between the two nothing is known")
  func kinds() {
    #expect(CountFall(from: 900, to: 899) == .correction)
    #expect(CountFall(from: 900, to: 882) == .correction)
    #expect(CountFall(from: 900, to: 881) == .unclear)
    #expect(CountFall(from: 900, to: 451) == .unclear)
    #expect(CountFall(from: 900, to: 450) == .restart)
    #expect(CountFall(from: 7, to: 1) == .restart)
    #expect(CountFall(from: 12, to: 7) == .correction)
  }

  @Test("adds nothing where it was corrected, what was counted since a restart, and else only what rises later")
  func growth() {
    var growth = CountGrowth()
    #expect([900, 899, 905, 300, 310, 200, 201].map { growth.take($0) } == [0, nil, 5, 300, 10, 0, 1])
  }
}
