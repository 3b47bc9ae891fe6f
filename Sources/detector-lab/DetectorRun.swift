import Accelerometry
import Pedometry
import Recordings
import StepDetection

/// One recording gone through the detector.
struct DetectorRun {
  /// When the feet struck, in seconds since the first sample.
  var steps: [Double] = []
  /// Every block, with its window's centre in seconds since the first sample.
  var blocks: [(centre: Double, block: BlockObservation)] = []
  /// Seconds from the first sample to the last.
  var duration = 0.0

  /// Reads to the end.
  /// - Parameters:
  ///   - gate: another gate than the shipped one.
  ///   - isObserved: whether ``blocks`` is wanted.
  init(_ reader: any SampleReader, gate: TrialGate? = nil, isObserved: Bool = false) throws {
    var reader = reader
    var detector = StepDetector()
    detector.trialGate = gate
    detector.observations = isObserved ? [] : nil
    var found: [Step] = []
    var samples: [AccelerationSample] = []
    var (first, last) = (Int64?.none, Int64(0))
    while try reader.read(into: &samples) {
      guard let end = samples.last else { continue }
      first = first ?? samples.first?.nanoseconds
      last = end.nanoseconds
      detector.process(samples.span, into: &found)
    }
    detector.finish(into: &found)
    guard let first else { return }
    duration = Double(last &- first) * 1e-9
    steps = found.map { Double($0.timestamp.wholeNanoseconds &- first) * 1e-9 }
    blocks = (detector.observations ?? []).map { (Double($0.start &- first) * 1e-9 + $0.centre, $0) }
  }
}
