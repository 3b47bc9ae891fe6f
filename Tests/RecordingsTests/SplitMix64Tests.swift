import Testing

@testable import Recordings

@Suite(.timeLimit(.minutes(10))) struct SplitMix64Tests {
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

  @Test("smooth noise has mean 0 and root mean square 1, and is continuous")
  func smoothNoise() {
    let noise = SmoothNoise(seed: 3, stream: 1, rate: 2)
    let values = (0..<20_000).map { noise.value(at: Double($0) * 0.1) }
    #expect(abs(values.reduce(0, +) / 20_000) < 0.05)
    #expect(abs(values.map { $0 * $0 }.reduce(0, +) / 20_000 - 1) < 0.05)
    #expect(abs(noise.value(at: 3.5 - 1e-9) - noise.value(at: 3.5)) < 1e-6)
  }
}
