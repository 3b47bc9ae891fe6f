import Accelerometry
import Pedometry
import Platform
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("Bad samples", .timeLimit(.minutes(30)))
struct BadSamplesTests {
  private static let clean = try? SyntheticWalk {
    $0.position = .lowerBack
    $0.duration = .seconds(60)
  }.samples()

  private func clean() throws -> [AccelerationSample] { try #require(Self.clean) }

  @Test("that are repeated or in the past are skipped")
  func repeats() throws {
    let samples = try clean()
    var spoilt: [AccelerationSample] = []
    for (i, sample) in samples.enumerated() {
      spoilt.append(sample)
      if i % 7 == 0 { spoilt.append(sample) }
      if i % 50 == 49 { spoilt.append(samples[i - 20]) }
    }
    #expect(steps(in: spoilt) == steps(in: samples))
  }

  @Test("that consist of nothing else give no steps and no crash")
  func allBad() throws {
    let bad = try clean().map { AccelerationSample(nanoseconds: $0.nanoseconds, acceleration: [.nan, .nan, .nan]) }
    #expect(steps(in: bad).isEmpty)
  }

  @Test("a gap ends the rhythm, but not the total", arguments: [1.5, 60, 3600, 1e9])
  func gap(seconds: Double) throws {
    let samples = try clean()
    let shift = Int64(seconds * 1e9)
    let later = samples.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 61_000_000_000 + shift, acceleration: $0.acceleration)
    }
    let once = steps(in: samples).count
    let both = steps(in: samples + later)
    #expect(both.count == 2 * once)
    #expect(zip(both, both.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
  }

  @Test("timestamps at the limits of a clock do not crash")
  func extremes() {
    let times: [Int64] = [.min, .min + 1, -1, 0, 1, 20_000_000, .max - 20_000_000, .max - 1, .max]
    for value: Float in [1, 2, 8, .nan] {
      let samples = times.map { AccelerationSample(nanoseconds: $0, acceleration: [0, 0, value]) }
      #expect(steps(in: samples).isEmpty)
    }
  }

  @Test("constant samples are not a walk", arguments: [SIMD3<Float>(0, 0, 1), [0, 0, 0], [2, 2, 2], [100, 0, 0]])
  func constant(value: SIMD3<Float>) {
    let samples = (0..<3000).map { AccelerationSample(nanoseconds: Int64($0) * 20_000_000, acceleration: value) }
    #expect(steps(in: samples).isEmpty)
  }

  @Test("noise of any size is hardly ever a walk", arguments: [0.01, 0.1, 1, 8])
  func noise(amplitude: Float) {
    var random = SplitMix64(seed: 9)
    let value = { (random: inout SplitMix64) in (Float(random.next() >> 40) / Float(1 << 24) - 0.5) * 2 * amplitude }
    let samples = (0..<6000).map { i in
      AccelerationSample(
        nanoseconds: Int64(i) * 20_000_000,
        acceleration: [value(&random), value(&random), 1 + value(&random)])
    }
    #expect(steps(in: samples).count <= 10)
  }
}
