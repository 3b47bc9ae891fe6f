import Testing

@testable import LiveSources

/// Steps from the totals of a running service.
@Suite("ServiceTotals", .timeLimit(.minutes(30)))
struct ServiceTotalsTests {
  private func totals(_ steps: Int...) -> [Int] {
    var totals = ServiceTotals()
    return steps.map { totals.take($0, at: 0).steps }
  }

  @Test("counting begins at zero, whatever the service's total, and missed answers cost nothing")
  func zero() {
    var totals = ServiceTotals()
    let first = totals.take(5000, at: 7)
    #expect(first.steps == 0 && first.newSteps == 0 && first.nanoseconds == 7)
    let second = totals.take(5015, at: 8)
    #expect(second.steps == 15 && second.newSteps == 15)
  }

  @Test("a total that falls by a few steps was corrected")
  func correction() { #expect(totals(900, 899, 910) == [0, 0, 10]) }

  @Test("a restarted service begins at zero, and the walk continues")
  func anew() { #expect(totals(10, 14, 3, 5) == [0, 4, 7, 9]) }
}
