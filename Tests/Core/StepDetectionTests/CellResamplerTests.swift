import Accelerometry
import Testing

@testable import StepDetection

@Suite("The resampler", .timeLimit(.minutes(30)))
struct CellResamplerTests {
  private func sample(_ seconds: Double, _ x: Float) -> AccelerationSample {
    AccelerationSample(nanoseconds: Int64((seconds * 1e9).rounded()), acceleration: [x, 0, 0])
  }

  /// The x of every cell that some samples fill.
  private func cells(_ samples: [AccelerationSample]) -> [Float] {
    var resampler = CellResampler()
    resampler.begin(at: samples[0])
    var (index, cells) = (1, [Float]())
    while true {
      var buffer = CellBuffer()
      let stop = resampler.fill(&buffer, from: samples.span, at: &index)
      for i in 0..<buffer.count { cells.append(buffer[i].cell.x) }
      if case .full = stop { continue }
      return cells
    }
  }

  @Test(
    "gives the mean of a straight line over each 80 ms, at any rate", arguments: [3.0, 10, 12.5, 33.3, 50, 100, 400])
  func line(rate: Double) {
    let samples = (0...Int(rate * 2)).map { sample(Double($0) / rate, Float(Double($0) / rate)) }
    let cells = cells(samples)
    #expect(cells.count >= 20)
    for (i, cell) in cells.enumerated() { #expect(abs(Double(cell) - (Double(i) + 0.5) * 0.08) < 1e-5) }
  }

  @Test("gives the same cells with and without a sample in between")
  func collinear() {
    let few = stride(from: 0.0, through: 2, by: 0.04).map { sample($0, Float($0 * $0)) }
    var many: [AccelerationSample] = []
    for (a, b) in zip(few, few.dropFirst()) {
      many.append(a)
      let middle = (a.nanoseconds + b.nanoseconds) / 2
      many.append(AccelerationSample(nanoseconds: middle, acceleration: (a.acceleration + b.acceleration) / 2))
    }
    #expect(zip(cells(few), cells(many)).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("stops before a gap, and leaves the sample after it")
  func gap() {
    var resampler = CellResampler()
    let samples = [sample(0, 1), sample(0.02, 1), sample(1.03, 1)]
    resampler.begin(at: samples[0])
    var (index, buffer) = (1, CellBuffer())
    guard case .interrupted = resampler.fill(&buffer, from: samples.span, at: &index) else {
      Issue.record("a second and 10 ms without a sample is a gap")
      return
    }
    #expect(index == 2 && buffer.count == 0)
  }

  @Test("bridges up to a second")
  func bridge() {
    #expect(cells([sample(0, 0), sample(1, 1)]).count == 12)
  }

  @Test("skips samples that are not later than the previous one")
  func backwards() {
    let clean = (0..<40).map { sample(Double($0) * 0.02, Float($0 % 5)) }
    var spoilt = clean
    spoilt.insert(sample(0.1, 99), at: 20)
    spoilt.insert(spoilt[10], at: 11)
    #expect(cells(spoilt) == cells(clean))
  }
}
