import Testing

@testable import Recordings

@Suite("Smooth noise", .timeLimit(.minutes(30))) struct SmoothNoiseTests {
  @Test("smooth noise has mean 0 and root mean square 1, and is continuous")
  func smoothNoise() {
    let noise = SmoothNoise(seed: 3, stream: 1, rate: 2)
    let values = (0..<20_000).map { noise.value(at: Double($0) * 0.1) }
    #expect(abs(values.reduce(0, +) / 20_000) < 0.05)
    let meanSquare = values.reduce(0) { $0 + $1 * $1 } / 20_000
    #expect(abs(meanSquare - 1) < 0.05)
    #expect(abs(noise.value(at: 3.5 - 1e-9) - noise.value(at: 3.5)) < 1e-6)
  }
}
