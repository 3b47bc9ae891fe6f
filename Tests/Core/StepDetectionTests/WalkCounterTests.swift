import Accelerometry
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("A walk counter", .timeLimit(.minutes(30)))
struct WalkCounterTests {
  private func samples() throws -> [AccelerationSample] {
    try SyntheticWalk {
      $0.duration = .seconds(40)
      $0.position = .lowerBack
    }.samples()
  }

  @Test("has the steps of its detector, and the duration and sampling frequency of the recording")
  func totals() throws {
    let samples = try samples()
    var counter = WalkCounter(stepLength: .fixed(0.5))
    let found = counter.process(samples.span) + counter.finish()
    #expect(found.map(\.timestamp) == steps(in: samples).map(\.timestamp))
    #expect(found.allSatisfy { $0.length == 0.5 })
    #expect(counter.steps == found.count)
    #expect(counter.distanceTravelled == 0.5 * Double(found.count))
    #expect(counter.samples == samples.count && counter.gaps == 0)
    #expect(abs(try #require(counter.samplingFrequency) - 50) < 0.01)
    #expect(abs(counter.walk.elapsed / .seconds(1) - 40) < 0.1)
  }

  @Test("excludes gaps from the sampling frequency, and counts each once, reported or detected")
  func gaps() throws {
    let samples = try samples()
    let later = samples.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 100_000_000_000, acceleration: $0.acceleration)
    }
    var seen = WalkCounter()
    seen.process(samples.span)
    seen.process(later.span)
    seen.finish()
    var told = WalkCounter()
    told.process(SampleBatch(samples: samples))
    told.process(SampleBatch(samples: later, gap: .interruption(.seconds(60))))
    told.finish()
    #expect(seen.gaps == 1 && told.gaps == 1)
    #expect(seen.steps == told.steps)
    #expect(abs(try #require(seen.samplingFrequency) - 50) < 0.01)
    var overflowing = WalkCounter()
    overflowing.process(SampleBatch(samples: Array(samples[..<1000])))
    overflowing.process(SampleBatch(samples: Array(samples[1010...]), gap: .overflow))
    #expect(overflowing.gaps == 1)
  }

  @Test("is zero before its first sample")
  func nothing() {
    var counter = WalkCounter()
    #expect(counter.finish().isEmpty)
    #expect(counter.walk == WalkTotals())
    #expect(counter.samplingFrequency == nil && counter.meanCadence == nil)
  }
}
