import Testing

@testable import StepDetection

@Suite("The evidence balance", .timeLimit(.minutes(30)))
struct EvidenceBalanceTests {
  /// The number of the block, from 1, that proves a walk.
  private func entry(
    _ evidence: [Float], change: Float = 0, fee: Float = 0.3, mildEntry: Float = .infinity
  ) -> Int? {
    var balance = EvidenceBalance()
    return evidence.firstIndex { balance.expectRest($0, change: change, fee: fee, mildEntry: mildEntry) }.map { $0 + 1 }
  }

  @Test("reaches the threshold slowly with medium evidence, and at once with high evidence")
  func gathers() {
    // A block adds half of its evidence minus 0.3; 6.5 prove a walk.
    #expect(entry(Array(repeating: 1.2, count: 40)) == 22)
    #expect(entry(Array(repeating: 4, count: 20)) == 4)
    #expect(entry(Array(repeating: 0.5, count: 1000)) == nil)
  }

  @Test("with a larger fee, medium evidence takes longer than clear evidence")
  func fee() {
    // A block adds half of its evidence minus 0.6.
    #expect(entry(Array(repeating: 1.2, count: 1000), fee: 0.6) == nil)
    #expect(entry(Array(repeating: 2, count: 40), fee: 0.6) == 17)
    #expect(entry(Array(repeating: 4, count: 20), fee: 0.6) == 5)
  }

  @Test("a cadence that changes delays the proof, from the second block on, and mild evidence is not affected")
  func change() {
    // A block adds half of its evidence minus 0.3, and minus the change, but for the first.
    #expect(entry(Array(repeating: 4, count: 20), change: 1) == 8)
    #expect(entry(Array(repeating: 4, count: 1000), change: 2) == nil)
    #expect(entry(Array(repeating: 0.8, count: 100), change: 1, fee: 0.6, mildEntry: 15) == 38)
    var blocks = BlockHistory()
    for (cadence, change) in [(1.8, 0), (1.8, 0), (2.7, 0.405), (0.9, 1.099)] as [(Float, Float)] {
      blocks.append(BlockEvidence(centre: 0, cadence: cadence, evidence: 0))
      #expect(abs(blocks.change - change) < 0.001)
    }
  }

  @Test("mild evidence proves a walk in the end, however large the fee, unless as much speaks against it")
  func mildEntry() {
    // A block adds half of its evidence; 15 prove a walk.
    #expect(entry(Array(repeating: 0.8, count: 100), fee: 0.6, mildEntry: 15) == 38)
    #expect(entry((0..<400).map { $0.isMultiple(of: 2) ? 0.9 : -0.9 }, fee: 0.6, mildEntry: 15) == nil)
    // One clear block is worth no more than two and a half mild ones.
    #expect(entry([6] + Array(repeating: 0.8, count: 100), fee: 0.6, mildEntry: 15) == 37)
    var balance = EvidenceBalance()
    var isProved = false
    for _ in 0..<38 { isProved = balance.expectRest(0.8, fee: 0.6, mildEntry: 15) }
    #expect(isProved && balance.rise > Tuning.blocksGivenBack)
    balance = EvidenceBalance()
    for _ in 0..<200 { isProved = balance.expectRest(0.8, fee: 0.6, mildEntry: .infinity) }
    #expect(!isProved)
  }

  @Test("delays the beginning of a walk by at most one block if one is slightly worse")
  func marginal() throws {
    let walk: [Float] = [
      0.4, 1.2, 1.9, 1.8, 1.7, 1.1, 0.6, 1.0, 1.4, 1.8, 2.1, 1.5, 0.9, 1.4, 1.8, 1.7, 1.6, 1.4, 1.2, 1.6, 1.9, 1.8, 1.7,
    ]
    let usual = try #require(entry(walk))
    for i in walk.indices {
      var worse = walk
      worse[i] -= 0.5
      #expect(try #require(entry(worse)) - usual <= 1)
    }
  }

  @Test("remembers the possible beginning of a walk")
  func rise() {
    var balance = EvidenceBalance()
    for evidence: Float in [3, -8, 2, 2, 3] { _ = balance.expectRest(evidence) }
    #expect(balance.rise == 3)
  }

  @Test("survives a turn, but not standing")
  func end() {
    var balance = EvidenceBalance()
    balance.fill()
    // Two seconds of a turn, in four blocks.
    for evidence: Float in [-2, -3, -3, -2, 4] { balance.expectWalking(evidence) }
    #expect(balance.value > 0)
    for _ in 0..<3 { balance.expectWalking(Tuning.quietEvidence) }
    #expect(balance.value <= 0)
  }

  @Test("needs less evidence within half a minute after a walk, and the full amount later")
  func restart() {
    let blocks = { (rest: Int) -> Int? in
      var balance = EvidenceBalance()
      balance.fill()
      balance.clear()
      for _ in 0..<rest { _ = balance.expectRest(Tuning.quietEvidence) }
      return (1...20).first { _ in balance.expectRest(2, fee: 0.3) }
    }
    // Each adds 0.9, five reach 4; later 0.7, ten reach 6.5.
    #expect(blocks(0) == 5)
    #expect(blocks(Tuning.restartBlocks - 10) == 5)
    #expect(blocks(Tuning.restartBlocks) == 10)
  }

  @Test("counts the blocks since it was full")
  func doubt() {
    var balance = EvidenceBalance()
    balance.fill()
    for evidence: Float in [6, -3, -3] { balance.expectWalking(evidence) }
    #expect(balance.sinceFull == 2)
    for _ in 0..<3 { balance.expectWalking(6) }
    #expect(balance.sinceFull == 0)
  }
}

@Suite("The latest blocks", .timeLimit(.minutes(30)))
struct BlockHistoryTests {
  @Test("give the cadence between their centres, and at the ends that of the last block", arguments: [3, 200])
  func cadence(count: Int) {
    var blocks = BlockHistory()
    for i in 0..<count {
      blocks.append(BlockEvidence(centre: 0.48 * Double(i), cadence: Float(i), evidence: 0))
    }
    let (newest, oldest) = (Float(count - 1), Float(max(0, count - 64)))
    #expect(abs(blocks.cadence(at: 0.48 * (Double(newest) - 0.75)) - (newest - 0.75)) < 1e-4)
    #expect(blocks.cadence(at: 1e9) == newest)
    #expect(blocks.cadence(at: -1e9) == oldest)
    #expect(blocks.cadence(at: -.infinity) == oldest)
  }
}
