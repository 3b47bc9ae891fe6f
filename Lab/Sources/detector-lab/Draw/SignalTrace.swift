@testable import Accelerometry
@testable import StepDetection

/// The output of the stages before the decision, for drawing and inspection.
///
/// It drives the stages of `StepDetector`, so a drawing shows what the detector saw.
struct SignalTrace: Sendable {
  /// 80 ms of acceleration.
  struct Cell: Sendable {
    /// The beginning of the cell, in seconds since the first sample.
    var begin: Double
    /// In g, without restored gravity.
    var acceleration: SIMD3<Float>
    /// In g, with restored gravity if it was removed.
    var magnitude: Float
    /// The magnitude between 1.2 and 2.5 Hz, in g, delayed by ``bandPassDelay``.
    var bandPassed: Float
  }

  /// The autocorrelation at the end of a block.
  struct Window: Sendable {
    /// The end of the block in seconds since the first sample.
    var end: Double
    /// By lag in cells, 0 to 24; index 0 is 1.
    var axes: [Float]
    var magnitude: [Float]
    /// The selected stride, in cells.
    var strideLag: Int
    /// Steps a second.
    var cadence: Float
  }

  private(set) var cells: [Cell] = []
  /// Time in seconds since the first sample and height in g.
  private(set) var peaks: [(time: Double, height: Float)] = []
  private(set) var windows: [Window] = []

  /// A cell's width in seconds.
  static let cellWidth = 1 / Tuning.cellFrequency
  /// The group delay of the band-pass, by which its output lags behind the magnitude, in seconds.
  static let bandPassDelay = Tuning.peakDelay + 0.5 / Tuning.cellFrequency

  /// From a foot strike to its peak in ``peaks``, in seconds.
  static let strikeLead = Tuning.strikeLead

  /// Traces the samples up to their end or the first gap.
  init(of samples: [AccelerationSample]) {
    guard let first = samples.first else { return }
    var signal = SignalPath()
    signal.begin(at: first)
    var index = 1
    // Of the signal, in seconds since the first sample.
    var begin = 0.0
    while true {
      let stop = signal.fill(from: samples.span, at: &index)
      let (filled, count) = (signal.pending, signal.cellCount)
      _ = signal.filter(counted: -.infinity) { place, magnitude, bandPassed in
        let cell = filled[place].cell
        cells.append(
          Cell(
            begin: begin + Double(count + place) * Self.cellWidth, acceleration: SIMD3(cell.x, cell.y, cell.z),
            magnitude: magnitude, bandPassed: bandPassed))
      }
      addPeaks(of: signal, from: begin)
      if signal.isBlockComplete { finishWindow(&signal, from: begin) }
      signal.makeRoom()
      switch stop {
      case .full, .slow: continue
      case .moved:
        signal.beginMoving(at: samples[index])
        begin = Double(signal.start &- first.nanoseconds) * 1e-9
        index += 1
      case .exhausted, .interrupted: return
      }
    }
  }

  /// Adds the peaks in the cells that were filtered last.
  private mutating func addPeaks(of signal: SignalPath, from begin: Double) {
    // A later, higher peak may have taken the place of the last one.
    let found = signal.peaks
    var next = found.count
    while next > 0, begin + found[next - 1].time > (peaks.last?.time ?? -.infinity) { next -= 1 }
    for index in next..<found.count {
      if let last = peaks.last, begin + found[index].time - last.time < Tuning.peakSpacing { peaks.removeLast() }
      peaks.append((begin + found[index].time, found[index].height))
    }
  }

  private mutating func finishWindow(_ signal: inout SignalPath, from begin: Double) {
    var correlation = Correlation()
    signal.finishBlock(into: &correlation)
    let stride = Stride(searching: correlation)
    let values = { (span: Span<SIMD4<Float>>) in [1] + (1...Tuning.longestLag).map { span.lag($0) } }
    windows.append(
      Window(
        end: begin + signal.end, axes: values(correlation.axes.span),
        magnitude: values(correlation.magnitude.span), strideLag: stride.lag, cadence: stride.cadence))
  }
}
