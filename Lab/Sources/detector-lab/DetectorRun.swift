@testable import Accelerometry
@testable import Pedometry
@testable import Recordings
@testable import StepDetection

/// The results of the detector for one recording.
struct DetectorRun {
  /// The times of the foot strikes, in seconds since the first sample.
  var steps: [Double] = []
  /// All blocks, with the centre of the window in seconds since the first sample.
  var blocks: [(centre: Double, block: BlockObservation)] = []
  /// Seconds from the first sample to the last.
  var duration = 0.0

  /// Reads a recording to its end.
  /// - Parameters:
  ///   - models: the gate.
  ///   - isObserved: whether to fill ``blocks``.
  init(_ reader: any SampleReader, models: GateModels = .shipped, isObserved: Bool = false) throws {
    var reader = reader
    var counting = Counting(models: models, isObserved: isObserved)
    var samples: [AccelerationSample] = []
    while try reader.read(into: &samples) { counting.process(samples) }
    self.init(counting)
  }

  /// Counts existing samples.
  init(_ samples: [AccelerationSample], models: GateModels = .shipped, isObserved: Bool = false) {
    var counting = Counting(models: models, isObserved: isObserved)
    counting.process(samples)
    self.init(counting)
  }

  private init(_ counting: consuming Counting) {
    counting.finish()
    guard let first = counting.first else { return }
    duration = Double(counting.last &- first) * 1e-9
    steps = counting.found.map { Double($0.timestamp.wholeNanoseconds &- first) * 1e-9 }
    blocks = (counting.detector.observations ?? []).map { (Double($0.start &- first) * 1e-9 + $0.centre, $0) }
  }

  private struct Counting {
    var detector = StepDetector(latency: StepDetector.longestRevision)
    var found: [Step] = []
    var first: Int64?
    var last: Int64 = 0

    init(models: GateModels, isObserved: Bool) {
      detector.models = models
      detector.observations = isObserved ? [] : nil
    }

    mutating func finish() { detector.finish(into: &found) }

    mutating func process(_ samples: [AccelerationSample]) {
      guard let end = samples.last else { return }
      first = first ?? samples.first?.nanoseconds
      last = end.nanoseconds
      detector.process(samples.span, into: &found)
    }
  }
}
