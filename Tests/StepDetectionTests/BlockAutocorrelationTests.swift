import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The autocorrelation and the stride", .timeLimit(.minutes(10)))
struct BlockAutocorrelationTests {
  private func correlation(blocks: Int = 16, _ cell: (Int) -> SIMD4<Float>) -> Correlation {
    var correlator = BlockAutocorrelation()
    var correlation = Correlation()
    for n in 0..<(Tuning.blockCells * blocks) {
      correlator.append(cell(n))
      if correlator.room == 0 { correlator.finishBlock(into: &correlation) }
    }
    return correlation
  }

  private func wave(_ n: Int, period: Double) -> Float { Float(sin(2 * .pi * Double(n) / period)) }

  @Test("is one where the window repeats, and minus one half a period before", arguments: [12, 16, 20])
  func periodic(period: Int) {
    let made = correlation { n in
      let value = 0.2 * wave(n, period: Double(period))
      return [value, 0, 1, value]
    }
    #expect(made.axes.span.lag(period) > 0.98 && made.magnitude.span.lag(period) > 0.98)
    #expect(made.axes.span.lag(period / 2) < -0.95)
    #expect(abs(made.magnitudeAmplitude - 0.2 / Float(2).squareRoot()) < 0.03)
  }

  @Test("does not change when the axes are turned or scaled")
  func invariance() {
    let a = correlation { n in [0.3 * wave(n, period: 14), 0.1 * wave(n, period: 7), 1, 0.1 * wave(n, period: 7)] }
    let b = correlation { n in [-0.2 * wave(n, period: 7), 2, 0.6 * wave(n, period: 14), 0.2 * wave(n, period: 7)] }
    for lag in 2...24 { #expect(abs(a.axes.span.lag(lag) - b.axes.span.lag(lag)) < 1e-4) }
  }

  @Test("compares nothing where nothing moves, and takes up again with the next loud block")
  func quiet() {
    let silent = correlation { _ in [0, 0, 1, 1] }
    #expect((1...24).allSatisfy { silent.axes.span.lag($0) == 0 && silent.magnitude.span.lag($0) == 0 })
    let loud = { (n: Int) in SIMD4<Float>(0.2 * self.wave(n, period: 12), 0, 1, 0.2 * self.wave(n, period: 12)) }
    let woken = correlation(blocks: 28) { n in n < 72 ? [0, 0, 1, 1] : loud(n) }
    let awake = correlation(blocks: 28) { n in loud(n) }
    #expect(abs(woken.axes.span.lag(12) - awake.axes.span.lag(12)) < 0.01)
  }

  @Test("gives the stride, not the step, of an arm that swings once in two steps")
  func stride() {
    // Steps every 0.56 s: 7 cells; the arm swings every 14.
    let made = correlation { n in [0.4 * wave(n, period: 14), 0, 1, 0.15 * wave(n, period: 7)] }
    let stride = Stride(searching: made)
    #expect(stride.lag == 14)
    #expect(abs(stride.cadence - 25 / 14) < 0.02)
    #expect(stride.score > 1.4)
  }

  @Test("takes a rough signal for running where a soft one of the same period is slow walking")
  func octave() {
    let run = correlation { n in [0, 0, 1, 1.2 * wave(n, period: 5)] }
    let walk = correlation { n in [0, 0, 1, 0.05 * wave(n, period: 5)] }
    #expect(Stride(searching: run).cadence > Stride(searching: walk).cadence - 0.01)
    #expect(Stride(searching: run).cadence > 2.3)
  }

  @Test("counts four steps where two strides fit the lag better than one, and asks the gate with the lag found")
  func twoStrides() {
    // A runner whose stride of 7.8 cells falls between the cells: twice as long, 15.6, matches whole cells as well.
    let made = correlation { n in
      let (stride, step) = (wave(n, period: 7.8), wave(n, period: 3.9))
      return [0.5 * stride, 0, 1 + step, 0.6 * step + 0.2 * wave(n, period: 15.6)]
    }
    let stride = Stride(searching: made)
    #expect(abs(stride.cadence - Float(2 * 12.5 / 7.8)) < 0.1)
  }

  @Test("does not take a fast stride, whose top lies between the cells, for twice as long", arguments: [2.4, 2.6, 2.8])
  func fast(cadence: Double) {
    let period = 12.5 / cadence
    let made = correlation { n in [0, 0, 1, 0.6 * wave(n, period: period)] }
    #expect(abs(Double(Stride(searching: made).cadence) - cadence) < 0.05)
  }

  @Test("expects the cadence that its documented constant says")
  func prior() {
    #expect(abs(Tuning.logPriorCadence - log(Tuning.priorCadence)) < 1e-6)
  }
}
