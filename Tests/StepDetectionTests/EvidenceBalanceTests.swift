import Testing

@testable import StepDetection

@Suite("The account of the evidence", .timeLimit(.minutes(10)))
struct EvidenceBalanceTests {
  /// The number of the block, from 1, that proves a walk.
  private func entry(_ evidence: [Float]) -> Int? {
    var balance = EvidenceBalance()
    return evidence.firstIndex { balance.expectRest($0) }.map { $0 + 1 }
  }

  @Test("lets middling evidence suffice in the end, and good evidence at once")
  func gathers() {
    #expect(entry(Array(repeating: 1.2, count: 20)) == 11)
    #expect(entry(Array(repeating: 4, count: 20)) == 2)
    #expect(entry(Array(repeating: 0.5, count: 1000)) == nil)
  }

  @Test("puts a walk's beginning off by one block at most when one of them is a little worse")
  func marginal() throws {
    let walk: [Float] = [0.4, 1.9, 1.7, 0.6, 1.4, 2.1, 0.9, 1.8, 1.6, 1.2, 1.9]
    let usual = try #require(entry(walk))
    for i in walk.indices {
      var worse = walk
      worse[i] -= 0.5
      #expect(try #require(entry(worse)) - usual <= 1)
    }
  }

  @Test("remembers where the walk may have begun")
  func rise() {
    var balance = EvidenceBalance()
    for evidence: Float in [3, -8, 2, 2, 3] { _ = balance.expectRest(evidence) }
    #expect(balance.rise == 3)
  }

  @Test("outlasts a turn, but not standing")
  func end() {
    var balance = EvidenceBalance()
    balance.fill()
    for evidence: Float in [-2, -3, -2, 4] { balance.expectWalking(evidence) }
    #expect(balance.value > 0)
    for _ in 0..<2 { balance.expectWalking(Tuning.quietEvidence) }
    #expect(balance.value <= 0)
  }
}
