@testable import Accelerometry
@testable import Pedometry
@testable import Recordings
@testable import StepDetection

/// A synthetic walk and the detector's results for it.
struct SeenWalk {
  let samples: [AccelerationSample]
  let trace: SignalTrace
  /// Their times are seconds since the first sample.
  let blocks: [BlockObservation]
  /// In seconds since the first sample: the time of each foot strike, and of its report.
  let steps: [(struck: Double, told: Double)]
  /// The peak of each step, or the time between two peaks where a missed one was inserted.
  var stepPeaks: [Double] { steps.map { $0.struck + SignalTrace.strikeLead } }
  /// The true foot strikes in seconds.
  let strikes: [Double]

  /// Processes the samples one by one, as they would arrive.
  init(_ walk: SyntheticWalk) throws {
    var reader = try walk.reader()
    var samples: [AccelerationSample] = []
    var batch: [AccelerationSample] = []
    while reader.read(into: &batch) { samples += batch }
    let start = samples.first?.nanoseconds ?? 0
    let seconds = { (nanoseconds: Int64) in Double(nanoseconds &- start) * 1e-9 }
    var detector = StepDetector()
    detector.observations = []
    var found: [Step] = []
    var told: [Double] = []
    for i in samples.indices {
      detector.process(samples.span.extracting(i..<(i + 1)), into: &found)
      while told.count < found.count { told.append(seconds(samples[i].nanoseconds)) }
    }
    detector.finish(into: &found)
    while told.count < found.count { told.append(seconds(samples.last?.nanoseconds ?? start)) }
    self.samples = samples
    trace = SignalTrace(of: samples)
    blocks = (detector.observations ?? []).map { $0.shifted(by: seconds($0.start)) }
    steps = zip(found, told).map { (seconds($0.timestamp.wholeNanoseconds), $1) }
    strikes = try walk.steps.map(\.inSeconds)
  }

  /// Seconds since the first sample, and the length of the sample's acceleration in g.
  var magnitudes: [(Double, Double)] {
    samples.map { sample in
      let a = sample.acceleration
      return (
        Double(sample.nanoseconds - samples[0].nanoseconds) * 1e-9, Double((a * a).sum().squareRoot())
      )
    }
  }

  /// The band-passed magnitude, with the delay of the filter subtracted.
  var bandPassed: [(Double, Double)] {
    trace.cells.map {
      ($0.begin + SignalTrace.cellWidth / 2 - SignalTrace.bandPassDelay, Double($0.bandPassed))
    }
  }
}

extension BlockObservation {
  /// Walking begins when the balance exceeds the first, and ends when it falls to the second.
  static var thresholds: (entry: Float, exit: Float) { (Tuning.entryEvidence, 0) }

  /// The block with all times shifted, as relative to an earlier moment.
  func shifted(by seconds: Double) -> Self {
    var shifted = self
    shifted.end += seconds
    shifted.centre += seconds
    shifted.earliest += seconds
    for i in readings.indices { shifted.readings[i].time += seconds }
    return shifted
  }
}
