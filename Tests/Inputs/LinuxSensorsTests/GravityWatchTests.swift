import Accelerometry
import LinuxSensors
import TestSupport
import Testing

@Suite("A device that may not be an accelerometer", .timeLimit(.minutes(30)))
struct GravityWatchTests {
  private static func watch(_ samples: [AccelerationSample]) -> GravityWatch {
    var watch = GravityWatch()
    watch.take(samples)
    return watch
  }

  @Test("pedals that are pressed twice a second rest at zero, so they are none")
  func pedals() {
    let samples = (0..<250).map { index in
      let phase = Double(index % 25) / 25
      return AccelerationSample(
        nanoseconds: Int64(index) * 20_000_000, acceleration: SIMD3(0, phase < 0.6 ? Float(phase) : 0, 0))
    }
    #expect(Self.watch(samples).showsNoGravity)
    #expect(!Self.watch(Array(samples[..<50])).showsNoGravity)
  }

  @Test("pedals that rest at an end of their range are none, nor is one held halfway")
  func atAnEnd() {
    for rest: Float in [-2, 0.5] {
      let samples = (0..<250).map { index in
        let phase = Double(index % 50) / 50
        return AccelerationSample(
          nanoseconds: Int64(index) * 20_000_000, acceleration: SIMD3(phase < 0.5 ? Float(phase) * 4 - 1 : rest, 0, 0))
      }
      #expect(Self.watch(samples).showsNoGravity)
    }
  }

  @Test("a walk, a run and a fall onto the floor are those of an accelerometer")
  func accelerometers() {
    let walk = PrintedWalk.walk
    // Three steps a second, each with a fifth of its time in the air.
    let run = (0..<3000).map { index in
      let phase = Float(index % 33) / 33
      return AccelerationSample(
        nanoseconds: Int64(index) * 10_000_000, acceleration: SIMD3(0, phase < 0.8 ? 2.5 * phase + 0.2 : 0.02, 0))
    }
    let fall = walk.map { sample in
      let isFalling = (2_000_000_000..<2_600_000_000).contains(sample.nanoseconds &- (walk.first?.nanoseconds ?? 0))
      return AccelerationSample(
        nanoseconds: sample.nanoseconds, acceleration: isFalling ? SIMD3(0.01, 0, 0) : sample.acceleration)
    }
    #expect([walk, run, fall].allSatisfy { !Self.watch($0).showsNoGravity })
  }
}
