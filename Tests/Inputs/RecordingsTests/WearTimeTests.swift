import Accelerometry
import Platform
import Testing

@testable import Recordings

@Suite("Wear time", .timeLimit(.minutes(30)))
struct WearTimeTests {
  /// Hours at 10 Hz; `noise` gives the largest deviation of each axis in g.
  private func worn(_ parts: [(hours: Double, noise: SIMD3<Float>)], gapAfter: Int? = nil) -> Duration? {
    var random = SplitMix64(seed: 7)
    var wear = WearTime()
    var time: Int64 = 0
    for (index, part) in parts.enumerated() {
      var samples: [AccelerationSample] = []
      for _ in 0..<Int(part.hours * 36_000) {
        let deviation = SIMD3<Float>(
          Float.random(in: -1...1, using: &random), Float.random(in: -1...1, using: &random),
          Float.random(in: -1...1, using: &random))
        samples.append(
          AccelerationSample(nanoseconds: time, acceleration: SIMD3(0.1, -0.2, 0.97) + deviation * part.noise))
        time += 100_000_000
      }
      wear.add(samples.span)
      if index == gapAfter { time += 7_200_000_000_000 }
    }
    return wear.worn
  }

  private let moved = SIMD3<Float>(0.2, 0.2, 0.2)
  private let still = SIMD3<Float>(0.01, 0.01, 0.01)

  private func isNear(_ duration: Duration?, hours: Double) -> Bool {
    duration.map { abs($0 / .seconds(3600) - hours) < 0.01 } ?? false
  }

  @Test("a sensor that moves is worn, one that lies still is not")
  func plain() {
    #expect(isNear(worn([(2, moved)]), hours: 2))
    #expect(isNear(worn([(2, still)]), hours: 0))
    #expect(isNear(worn([(2, moved), (3, still), (2, moved)]), hours: 4))
  }

  @Test("half an hour of rest is worn, an hour is not")
  func rest() {
    #expect(isNear(worn([(1, moved), (0.5, still), (1, moved)]), hours: 2.5))
    #expect(isNear(worn([(1, moved), (1, still), (1, moved)]), hours: 2))
  }

  @Test("two still axes are enough, one is not, and both deviation and range have to be small")
  func axes() {
    #expect(isNear(worn([(2, [0.01, 0.01, 0.3])]), hours: 0))
    #expect(isNear(worn([(2, [0.01, 0.3, 0.3])]), hours: 2))
    // A range of 60 mg with a deviation of 17 mg, and one of 48 with 14: each exceeds a limit.
    #expect(isNear(worn([(2, [0.03, 0.03, 0.03])]), hours: 2))
    #expect(isNear(worn([(2, [0.0245, 0.0245, 0.0245])]), hours: 2))
    #expect(isNear(worn([(2, [0.022, 0.022, 0.022])]), hours: 0))
  }

  @Test("less than an hour is undecided, and a pause counts as neither")
  func gaps() {
    #expect(worn([(0.9, still)]) == nil)
    #expect(isNear(worn([(2, moved), (2, moved)], gapAfter: 0), hours: 4))
    #expect(isNear(worn([(2, still), (2, moved)], gapAfter: 0), hours: 2))
  }
}
