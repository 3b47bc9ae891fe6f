import Accelerometry
import Foundation
import Testing

@testable import StepDetection

@Suite("Slow sampling", .timeLimit(.minutes(30)))
struct SlowSamplingTests {
  /// A wave of a frequency in Hz, sampled as means over each period.
  private func wave(_ frequency: Double, rate: Double) -> [AccelerationSample] {
    let loss = sin(.pi * frequency / rate) / (.pi * frequency / rate)
    return (0...Int(20 * rate)).map { i in
      let time = Double(i) / rate
      let x = Float(loss * sin(2 * .pi * frequency * time))
      return AccelerationSample(nanoseconds: Int64((time * 1e9).rounded()), acceleration: [x, 0, 0])
    }
  }

  /// The r.m.s. of the cells of some samples, and how many there are.
  private func cells(_ samples: [AccelerationSample]) -> (amplitude: Float, count: Int) {
    var resampler = CellResampler()
    resampler.begin(at: samples[0])
    var (index, sum, count) = (1, Float(0), 0)
    func add(_ buffer: CellBuffer) {
      for i in 0..<buffer.count { sum += buffer[i].squared }
      count += buffer.count
    }
    while true {
      var buffer = CellBuffer()
      let stop = resampler.fill(&buffer, from: samples.span, at: &index)
      add(buffer)
      if case .full = stop { continue }
      break
    }
    var buffer = CellBuffer()
    while case .full = resampler.finish(&buffer) {
      add(buffer)
      buffer.clear()
    }
    add(buffer)
    return ((sum / Float(count)).squareRoot(), count)
  }

  @Test("preserves amplitudes as fast sampling does, within 5 %", arguments: [12.5, 15, 20, 25, 50], [1.2, 2, 2.4])
  func height(rate: Double, frequency: Double) {
    let (slow, fast) = (cells(wave(frequency, rate: rate)), cells(wave(frequency, rate: 200)))
    #expect(abs(slow.amplitude / fast.amplitude - 1) < 0.05)
  }

  @Test("loses no sample at the end", arguments: [5.0, 10, 12.5, 20])
  func end(rate: Double) {
    #expect(abs(cells(wave(2, rate: rate)).count - cells(wave(2, rate: 200)).count) <= 1)
  }

  @Test("does not treat an invalid sample as slow")
  func nonsense() {
    #expect(SlowSampling.applies(to: SIMD4(0, 0, 1, 0), after: 80_000_000))
    #expect(!SlowSampling.applies(to: SIMD4(0, .nan, 1, 0), after: 80_000_000))
    #expect(!SlowSampling.applies(to: SIMD4(0, 0, 1, 0), after: 40_000_000))
  }
}
