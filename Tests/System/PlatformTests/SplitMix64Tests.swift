import Platform
import Testing

@Suite("Seeded random numbers", .timeLimit(.minutes(30))) struct SplitMix64Tests {
  @Test("the sequence is the published one")
  func publishedSequence() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("normal numbers have mean 0 and variance 1")
  func normalNumbers() {
    var random = SplitMix64(seed: 5)
    var (sum, squares) = (0.0, 0.0)
    for _ in 0..<10_000 {
      let (a, b) = random.gaussianPair()
      sum += a + b
      squares += a * a + b * b
    }
    #expect(abs(sum / 20_000) < 0.03)
    #expect(abs(squares / 20_000 - 1) < 0.05)
  }
}
