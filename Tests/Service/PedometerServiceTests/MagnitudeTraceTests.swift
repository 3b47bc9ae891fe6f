import Accelerometry
import Testing

@testable import PedometerService
@testable import ServiceCore

@Suite("Signal trace", .timeLimit(.minutes(30)))
struct MagnitudeTraceTests {
  /// Samples of a frequency from a time on, with a magnitude that rises by 0.001 g a sample.
  private func samples(_ count: Int, hertz: Double, from start: Double = 0) -> [AccelerationSample] {
    (0..<count).map { index in
      AccelerationSample(
        nanoseconds: Int64((start + Double(index) / hertz) * 1e9),
        acceleration: SIMD3(0, 0.6, 0.8) * (1 + 0.001 * Float(index)))
    }
  }

  @Test("some values a second are kept, whatever the sampling frequency", arguments: [12.5, 25, 50, 100, 400, 1600])
  func decimated(hertz: Double) throws {
    var trace = MagnitudeTrace()
    trace.take(samples(Int(hertz * 4), hertz: hertz), shift: .seconds(100))
    let expected = min(hertz, 25) * 4
    #expect(abs(Double(trace.values.count) - expected) <= 1)
    #expect(abs(trace.interval / .seconds(1) - 1 / min(hertz, 25)) < 0.001)
    #expect(trace.values.first == 1 && trace.values == trace.values.sorted())
    let end = try #require(trace.end) / .seconds(1)
    #expect(end > 103.9 && end < 104)
  }

  @Test("the size is bounded, and the latest values stay")
  func bounded() {
    var trace = MagnitudeTrace()
    trace.take(samples(5000, hertz: 25), shift: .zero)
    #expect(trace.values.count == MagnitudeTrace.capacity)
    #expect(trace.values.last.map { $0 > 5.99 } == true)
  }

  @Test("after a gap, and where the clock goes back, the trace begins anew", arguments: [60.0, -60])
  func gap(seconds: Double) {
    var trace = MagnitudeTrace()
    trace.take(samples(50, hertz: 25, from: 100), shift: .zero)
    trace.take(samples(10, hertz: 25, from: 100 + seconds), shift: .zero)
    #expect(trace.values.count == 10)
  }
}
