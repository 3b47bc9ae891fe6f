import Platform
import Recordings
import Testing

@testable import StepDetection

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The autocorrelation and the stride", .timeLimit(.minutes(30)))
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

  @Test("is 1 at the period of the window, and −½ at its antiphase", arguments: [12, 16, 20])
  func periodic(period: Int) {
    let made = correlation { n in
      let value = 0.2 * wave(n, period: Double(period))
      return [value, 0, 1, value]
    }
    #expect(made.axes.span.lag(period) > 0.98 && made.magnitude.span.lag(period) > 0.98)
    #expect(made.axes.span.lag(period / 2) < -0.95)
    #expect(abs(made.magnitudeAmplitude - 0.2 / Float(2).squareRoot()) < 0.03)
  }

  @Test("does not change when the axes are rotated or scaled")
  func invariance() {
    let a = correlation { n in [0.3 * wave(n, period: 14), 0.1 * wave(n, period: 7), 1, 0.1 * wave(n, period: 7)] }
    let b = correlation { n in [-0.2 * wave(n, period: 7), 2, 0.6 * wave(n, period: 14), 0.2 * wave(n, period: 7)] }
    for lag in 2...24 { #expect(abs(a.axes.span.lag(lag) - b.axes.span.lag(lag)) < 1e-4) }
  }

  @Test("skips quiet blocks, and resumes with the next loud block")
  func quiet() {
    let silent = correlation { _ in [0, 0, 1, 1] }
    #expect((1...24).allSatisfy { silent.axes.span.lag($0) == 0 && silent.magnitude.span.lag($0) == 0 })
    let loud = { (n: Int) in SIMD4<Float>(0.2 * self.wave(n, period: 12), 0, 1, 0.2 * self.wave(n, period: 12)) }
    let woken = correlation(blocks: 28) { n in n < 72 ? [0, 0, 1, 1] : loud(n) }
    let awake = correlation(blocks: 28) { n in loud(n) }
    #expect(abs(woken.axes.span.lag(12) - awake.axes.span.lag(12)) < 0.01)
  }

  /// The definition, in double precision, over all cells so far.
  private func expected(_ cells: [SIMD4<Float>], lag: Int) -> (axes: Double, magnitude: Double) {
    var (product, now, then) = (SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero)
    func pair(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD2<Double> {
      let c = SIMD4<Double>(a) * SIMD4<Double>(b)
      return SIMD2(c.x + c.y + c.z, c.w)
    }
    func cell(_ n: Int) -> SIMD4<Float> { n < 0 ? .zero : cells[n] }
    for n in (cells.count - Tuning.windowCells)..<cells.count {
      product += pair(cell(n), cell(n - lag))
      now += pair(cell(n), cell(n))
      then += pair(cell(n - lag), cell(n - lag))
    }
    func ratio(_ i: Int) -> Double { then[i] > 1e-9 ? product[i] / (now[i] * then[i]).squareRoot() : 0 }
    return (ratio(0), ratio(1))
  }

  @Test(
    "agrees with its definition at every lag and block, with up to eight quiet blocks in between",
    arguments: 0...8)
  func definition(quietBlocks: Int) {
    var random = SplitMix64(seed: 7)
    var correlator = BlockAutocorrelation()
    var (correlation, highPass) = (Correlation(), BlockAutocorrelation.HighPass())
    var cells: [SIMD4<Float>] = []
    var (worst, compared) = (0.0, 0)
    // Long enough for all data to be moved three times.
    for n in 0..<(60 * Tuning.blockCells) {
      let isQuiet = n / Tuning.blockCells % 12 < quietBlocks
      func noise() -> Float { (isQuiet ? 0.001 : 0.3) * Float.random(in: -1...1, using: &random) }
      let cell = SIMD4<Float>(noise(), noise(), 1 + noise(), 1 + noise())
      highPass.begin(at: cell)
      cells.append(highPass.apply(cell))
      correlator.append(cell)
      guard correlator.room == 0 else { continue }
      correlator.finishBlock(into: &correlation)
      if cells.count < Tuning.windowCells || correlation.isQuiet { continue }
      compared += 1
      for lag in 1...Tuning.longestLag {
        let (axes, magnitude) = expected(cells, lag: lag)
        worst = max(worst, abs(Double(correlation.axes.span.lag(lag)) - axes))
        worst = max(worst, abs(Double(correlation.magnitude.span.lag(lag)) - magnitude))
      }
    }
    #expect(worst < 1e-4)
    #expect(compared >= 30)
  }

  @Test("has a longer window that agrees with its definition for means of two cells, at every lag")
  func slowDefinition() {
    var random = SplitMix64(seed: 8)
    var correlator = BlockAutocorrelation()
    var (correlation, slow, highPass) = (Correlation(), Correlation(), BlockAutocorrelation.HighPass())
    var cells: [SIMD4<Float>] = []
    var (worst, compared) = (0.0, 0)
    // Long enough for all data to be moved three times.
    for _ in 0..<(80 * Tuning.blockCells) {
      func noise() -> Float { 0.3 * Float.random(in: -1...1, using: &random) }
      let cell = SIMD4<Float>(noise(), noise(), 1 + noise(), 1 + noise())
      highPass.begin(at: cell)
      cells.append(highPass.apply(cell))
      correlator.append(cell)
      guard correlator.room == 0 else { continue }
      correlator.finishBlock(into: &correlation)
      if cells.count < 2 * (Tuning.windowCells + Tuning.longestLag) { continue }
      correlator.slowCorrelation(into: &slow)
      let pairs = Swift.stride(from: 0, to: cells.count, by: 2).map { 0.5 * (cells[$0] + cells[$0 + 1]) }
      compared += 1
      for lag in 1...Tuning.longestLag {
        let (axes, magnitude) = expected(pairs, lag: lag)
        worst = max(worst, abs(Double(slow.axes.span.lag(lag)) - axes))
        worst = max(worst, abs(Double(slow.magnitude.span.lag(lag)) - magnitude))
      }
      let energy = pairs.suffix(Tuning.windowCells).reduce(0) { $0 + $1.w * $1.w } / Float(Tuning.windowCells)
      worst = max(worst, abs(Double(slow.magnitudeAmplitude - energy.squareRoot())))
    }
    #expect(worst < 1e-4)
    #expect(compared >= 60)
  }

  @Test("forgets a jolt of a thousand g with the window that contained it")
  func jolt() {
    let soft = { (n: Int) in SIMD4<Float>(0.2 * self.wave(n, period: 12), 0, 1, 0.2 * self.wave(n, period: 12)) }
    let calm = correlation(blocks: 60, soft)
    let jolted = correlation(blocks: 60) { n in n == 100 ? [1000, 0, 0, 1000] : soft(n) }
    #expect(abs(calm.magnitudeAmplitude - jolted.magnitudeAmplitude) < 1e-5)
    for lag in 1...24 { #expect(abs(calm.axes.span.lag(lag) - jolted.axes.span.lag(lag)) < 1e-4) }
  }

  @Test("a jolt of a thousand g leaves no rounding error in the longer window, at lags that exclude it")
  func slowJolt() {
    var correlator = BlockAutocorrelation()
    var (correlation, slow, highPass) = (Correlation(), Correlation(), BlockAutocorrelation.HighPass())
    var cells: [SIMD4<Float>] = []
    for n in 0..<(20 * Tuning.blockCells) {
      let swing = 0.1 * wave(n, period: 30)
      let cell: SIMD4<Float> = n == 117 ? [1000, 0, 0, 1000] : [swing, 0, 1, swing]
      highPass.begin(at: cell)
      cells.append(highPass.apply(cell))
      correlator.append(cell)
      if correlator.room == 0 { correlator.finishBlock(into: &correlation) }
    }
    correlator.slowCorrelation(into: &slow)
    let pairs = Swift.stride(from: 0, to: cells.count, by: 2).map { 0.5 * (cells[$0] + cells[$0 + 1]) }
    for lag in 1...Tuning.longestLag {
      #expect(abs(Double(slow.axes.span.lag(lag)) - expected(pairs, lag: lag).0) < 1e-3, "lag \(lag)")
    }
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

  @Test("counts four steps where two strides fit the lag better than one, and gives the gate the original lag")
  func twoStrides() {
    // A runner with a stride of 7.8 cells, which is between cells; twice that, 15.6, fits whole cells as well.
    let made = correlation { n in
      let (stride, step) = (wave(n, period: 7.8), wave(n, period: 3.9))
      return [0.5 * stride, 0, 1 + step, 0.6 * step + 0.2 * wave(n, period: 15.6)]
    }
    let stride = Stride(searching: made)
    #expect(abs(stride.cadence - Float(2 * 12.5 / 7.8)) < 0.1)
  }

  @Test("does not take a stride of one hard and one soft step for two strides")
  func unevenSteps() {
    // A pocket at 94 steps/min: after half a stride the axes repeat by 0.3, after a quarter the magnitude neither repeats nor inverts.
    let made = correlation { n in
      let (stride, step, half) = (wave(n, period: 16), wave(n, period: 8), wave(n, period: 4))
      return [0.55 * stride + 0.7 * step, 0, 1, 0.32 * stride + 0.28 * step + 0.28 * half]
    }
    #expect(made.magnitudeAmplitude > Tuning.slowRunAmplitude)
    #expect(made.axes.span.lag(8) > Tuning.octaveAxes)
    #expect(made.magnitude.span.lag(4) > Tuning.runningOctaveMagnitude)
    #expect(abs(Stride(searching: made).cadence - 25 / 16) < 0.02)
  }

  @Test("does not double a fast stride whose maximum is between the cells", arguments: [2.4, 2.6, 2.8])
  func fast(cadence: Double) {
    let period = 12.5 / cadence
    let made = correlation { n in [0, 0, 1, 0.6 * wave(n, period: period)] }
    #expect(abs(Double(Stride(searching: made).cadence) - cadence) < 0.05)
  }

  @Test("finds a stride of 2.4 s in the longer window, and half the steps in the ordinary one")
  func slowStride() {
    var correlator = BlockAutocorrelation()
    var (correlation, slow) = (Correlation(), Correlation())
    for n in 0..<(20 * Tuning.blockCells) {
      let (swing, step) = (wave(n, period: 30), wave(n, period: 15))
      correlator.append([0.1 * swing, 0, 1, 0.05 * step + 0.03 * wave(n, period: 7.5)])
      if correlator.room == 0 { correlator.finishBlock(into: &correlation) }
    }
    correlator.slowCorrelation(into: &slow)
    #expect(abs(Stride(searchingSlowly: slow).cadence - 2 / 2.4) < 0.02)
    #expect(Stride(searching: correlation).cadence > 1)
  }

  @Test("expects the cadence of its documented constant")
  func prior() {
    #expect(abs(Tuning.logPriorCadence - log(Tuning.priorCadence)) < 1e-6)
  }

  @Test("compares cadences by the logarithms of the searched lags")
  func logarithms() {
    let (a, b, c, d, e) = Stride.logCadence
    for (four, vector) in [a, b, c, d, e].enumerated() {
      for lane in 0..<4 {
        let lag = 4 + 4 * four + lane
        if !Tuning.strideLags.contains(lag) {
          #expect(vector[lane] >= 100, "lag \(lag) is on trial")
          continue
        }
        #expect(abs(vector[lane] - log(2 * Float(Tuning.cellFrequency) / Float(lag))) < 1e-6)
      }
    }
    #expect(Tuning.strideLags == 6...23)
  }

  @Test("gives a quiet window the cadence that its prior has for the least movement")
  func quietStride() {
    let centre = Tuning.logPriorCadence + Tuning.priorExponent * log(Tuning.priorRatio.lowerBound)
    let nearest = Tuning.strideLags.min {
      abs(log(2 * Float(Tuning.cellFrequency) / Float($0)) - centre)
        < abs(log(2 * Float(Tuning.cellFrequency) / Float($1)) - centre)
    }
    let stride = Stride(searching: Correlation())
    #expect(stride.lag == nearest && stride.score == 0)
    #expect(abs(stride.cadence - 2 * Float(Tuning.cellFrequency) / Float(stride.lag)) < 1e-6)
    #expect(stride.searchedCadence == stride.cadence)
  }
}

extension BlockAutocorrelation {
  /// Filters a cell, and takes it.
  mutating func append(_ cell: SIMD4<Float>) {
    highPass.begin(at: cell)
    append(filtered: highPass.apply(cell))
  }
}
