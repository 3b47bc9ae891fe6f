import Accelerometry
import CReference
import Pedometry
import Recordings
import StepDetection

/// The cost per sample, compared with a minimal C step counter.
struct Detection {
  private let samples: [AccelerationSample]

  /// Four minutes at 100 Hz, which stay in the cache like a source's batches. The detector's cost depends on the
  /// activity.
  init(_ activity: SyntheticWalk.Activity) throws {
    var walk = SyntheticWalk()
    walk.activity = activity
    walk.position = .wrist
    walk.rate = 100
    walk.duration = .seconds(240)
    var reader = try walk.reader()
    var all: [AccelerationSample] = []
    var some: [AccelerationSample] = []
    while reader.read(into: &some) { all += some }
    samples = all
  }

  func run(_ name: String, limit: Double?) -> Bool {
    let count = Double(samples.count)
    let comparison = Comparison(
      name: "detection per 100 Hz sample, \(name)", unit: "ns (C biquads and peaks)", scale: { $0 / count * 1e9 },
      limit: limit)
    var steps: [Step] = []
    steps.reserveCapacity(10_000)
    return comparison.run(rounds: 25) {
      let start = threadTime()
      let counted = samples.withUnsafeBytes { bytes in
        reference_count_steps(bytes.bindMemory(to: reference_sample.self).baseAddress!, samples.count)
      }
      precondition(counted >= 0)
      return threadTime() - start
    } ours: {
      steps.removeAll(keepingCapacity: true)
      let start = threadTime()
      var detector = StepDetector()
      detector.process(samples.span, into: &steps)
      detector.finish(into: &steps)
      return threadTime() - start
    }
  }
}
