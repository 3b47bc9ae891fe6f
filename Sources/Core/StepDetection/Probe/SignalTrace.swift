import Accelerometry

/// The output of the stages before the decision, for drawing and inspection.
///
/// The stages are those of ``StepDetector``; the loop around them is separate, so that the detector's loop needs no
/// check for an observer at each cell.
package struct SignalTrace: Sendable {
  /// 80 ms of acceleration.
  package struct Cell: Sendable {
    /// The beginning of the cell, in seconds since the first sample.
    package var begin: Double
    /// In g, without restored gravity.
    package var acceleration: SIMD3<Float>
    /// In g, with restored gravity if it was removed.
    package var magnitude: Float
    /// The magnitude between 1.2 and 2.5 Hz, in g, delayed by ``bandPassDelay``.
    package var bandPassed: Float
  }

  /// The autocorrelation at the end of a block.
  package struct Window: Sendable {
    /// The end of the block in seconds since the first sample.
    package var end: Double
    /// By lag in cells, 0 to 24; index 0 is 1.
    package var axes: [Float]
    package var magnitude: [Float]
    /// The selected stride, in cells.
    package var strideLag: Int
    /// Steps a second.
    package var cadence: Float
  }

  package private(set) var cells: [Cell] = []
  /// Time in seconds since the first sample and height in g.
  package private(set) var peaks: [(time: Double, height: Float)] = []
  package private(set) var windows: [Window] = []

  /// A cell's width in seconds.
  package static let cellWidth = 1 / Tuning.cellFrequency
  /// The group delay of the band-pass, by which its output lags behind the magnitude, in seconds.
  package static let bandPassDelay = Tuning.peakDelay + 0.5 / Tuning.cellFrequency

  /// From a foot strike to its peak in ``peaks``, in seconds.
  package static let strikeLead = Tuning.strikeLead

  private var gravity = GravityRestorer()
  private var finder = PeakFinder()
  private var correlator = BlockAutocorrelation()
  private var states = (Biquad<Float>.silence, Biquad<Float>.silence)

  /// Traces the samples up to their end or the first gap.
  package init(of samples: [AccelerationSample]) {
    guard let first = samples.first else { return }
    var resampler = CellResampler()
    resampler.begin(at: first)
    var pending = CellBuffer()
    var index = 1
    var stop = CellResampler.Stop.full
    while case .full = stop {
      stop = resampler.fill(&pending, from: samples.span, at: &index)
      for i in 0..<pending.count { take(pending[i].cell, squared: pending[i].squared) }
      pending.clear()
      pending.room = correlator.room
    }
  }

  private mutating func take(_ cell: SIMD4<Float>, squared: Float) {
    var cell = cell
    let magnitude = gravity.magnitude(of: cell, squared: squared)
    let origin = cells.first?.magnitude ?? magnitude
    let half = Tuning.bandPass.0.apply(magnitude - origin, &states.0)
    let bandPassed = Tuning.bandPass.1.apply(half, &states.1)
    finder.process(magnitude, cell: cells.count, counted: -.infinity)
    if let peak = finder.peaks.last {
      if let last = peaks.last, peak.time - last.time < Tuning.peakSpacing { peaks.removeLast() }
      peaks.append((peak.time, peak.height))
    }
    cells.append(
      Cell(
        begin: Double(cells.count) * Self.cellWidth, acceleration: SIMD3(cell.x, cell.y, cell.z), magnitude: magnitude,
        bandPassed: bandPassed))
    cell.w = magnitude
    correlator.append(cell)
    if correlator.room == 0 { finishWindow() }
  }

  private mutating func finishWindow() {
    var correlation = Correlation()
    correlator.finishBlock(into: &correlation)
    let stride = Stride(searching: correlation)
    let values = { (span: Span<SIMD4<Float>>) in [1] + (1...Tuning.longestLag).map { span.lag($0) } }
    windows.append(
      Window(
        end: Double(cells.count) * Self.cellWidth, axes: values(correlation.axes.span),
        magnitude: values(correlation.magnitude.span), strideLag: stride.lag, cadence: stride.cadence))
  }
}
