import Accelerometry
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("What must not change a count", .timeLimit(.minutes(10)))
struct InvarianceTests {
  private func walk(_ position: SensorPlacement, seed: UInt64, rate: Double = 50) -> SyntheticWalk {
    SyntheticWalk {
      $0.position = position
      $0.seed = seed
      $0.rate = rate
      $0.duration = .seconds(40)
      $0.lead = .seconds(4)
      $0.tail = .seconds(4)
    }
  }

  @Test("where a recording is cut into batches", arguments: SyntheticWalk.positions, [12.5, 18, 50])
  func cuts(position: SensorPlacement, rate: Double) throws {
    let seed = UInt64(rate)
    let samples = try walk(position, seed: seed, rate: rate).samples()
    let whole = steps(in: samples)
    var random = SplitMix64(seed: seed)
    var detector = StepDetector()
    var found: [Step] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + Int(random.next() % 97))
      detector.process(samples.span.extracting(start..<end), into: &found)
      start = end
    }
    detector.finish(into: &found)
    #expect(found == whole)
  }

  @Test(
    "how the sensor is turned: the same steps, to the millisecond", arguments: SyntheticWalk.positions, [UInt64(3), 4])
  func orientation(position: SensorPlacement, seed: UInt64) throws {
    let straight = walk(position, seed: seed)
    var turned = straight
    turned.orientation = .random
    // The sensor's own resolution and noise are not what is turned here.
    let fine = { (walk: SyntheticWalk) in
      SyntheticWalk {
        $0 = walk
        $0.bits = 24
        $0.noise = 0
      }
    }
    let (a, b) = (try steps(in: fine(straight)), try steps(in: fine(turned)))
    #expect(a.count == b.count)
    #expect(zip(a, b).allSatisfy { abs(($0.timestamp - $1.timestamp).inSeconds) < 0.001 })
  }

  @Test("a scale error of 10 %: within 1 %", arguments: SyntheticWalk.positions, [Float(0.9), 1.1])
  func scale(position: SensorPlacement, factor: Float) throws {
    let samples = try walk(position, seed: 5).samples()
    let scaled = samples.map { AccelerationSample(nanoseconds: $0.nanoseconds, acceleration: $0.acceleration * factor) }
    #expect(deviation(steps(in: scaled).count, from: steps(in: samples).count) <= 0.01)
  }

  @Test("when the recording began: a clock that reads 60 years changes no step")
  func origin() throws {
    let samples = try walk(.wrist, seed: 6).samples()
    let offset: Int64 = 1_900_000_000_000_000_000
    let later = samples.map { AccelerationSample(nanoseconds: $0.nanoseconds + offset, acceleration: $0.acceleration) }
    #expect(steps(in: later).map { $0.timestamp - .nanoseconds(offset) } == steps(in: samples).map(\.timestamp))
  }

  @Test("the sampling frequency, 12.5 to 200 Hz: within 1 % (median) and 4 % (worst)")
  func rate() throws {
    var deviations: [Double] = []
    for position in SyntheticWalk.positions {
      for seed in 1...2 {
        let counts = try [12.5, 25, 50, 100, 200].map { rate in
          try steps(in: walk(position, seed: UInt64(seed), rate: rate)).count
        }
        deviations += counts.map { deviation($0, from: counts[3]) }
      }
    }
    deviations.sort()
    #expect(deviations[deviations.count / 2] <= 0.01)
    #expect(try #require(deviations.last) <= 0.04)
  }

  /// The means over periods of a sixteenth of the frequency, each stamped in its period's middle, as a sensor with a
  /// filter reports them.
  private func averaged(_ samples: [AccelerationSample]) -> [AccelerationSample] {
    stride(from: 0, to: samples.count - 15, by: 16).map { first in
      let period = samples[first..<(first + 16)]
      let sum = period.reduce(SIMD3<Float>.zero) { $0 + $1.acceleration }
      let middle = (period[first].nanoseconds + period[first + 15].nanoseconds) / 2
      return AccelerationSample(nanoseconds: middle, acceleration: sum / 16)
    }
  }

  private func amplitudes(_ samples: [AccelerationSample]) -> [Float] {
    var detector = StepDetector()
    detector.observations = []
    var steps: [Step] = []
    detector.process(samples.span, into: &steps)
    detector.finish(into: &steps)
    return (detector.observations ?? []).map(\.features.amplitude)
  }

  @Test(
    "whether a slow sensor averages: the gate sees the same amplitude within 6 %, and as many steps within 2 %",
    arguments: [SensorPlacement.wrist, .pocket, .lowerBack], [100.0, 125])
  func averaging(position: SensorPlacement, cadence: Double) throws {
    var fine = walk(position, seed: 7, rate: 200)
    fine.cadence = cadence
    let samples = try fine.samples()
    let slow = averaged(samples)
    let (seen, seenSlowly) = (amplitudes(samples).reduce(0, +), amplitudes(slow).reduce(0, +))
    #expect(abs(seenSlowly / seen - 1) < 0.06)
    #expect(deviation(steps(in: slow).count, from: steps(in: samples).count) <= 0.02)
  }
}
