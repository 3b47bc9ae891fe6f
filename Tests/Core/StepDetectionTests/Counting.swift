import Accelerometry
import Pedometry
import Recordings
import StepDetection

/// The steps in some samples, with a given latency.
func steps(in samples: [AccelerationSample], latency: Duration = StepDetector.longestDelay) -> [Step] {
  var detector = StepDetector(latency: latency)
  var steps: [Step] = []
  detector.process(samples.span, into: &steps)
  detector.finish(into: &steps)
  return steps
}

/// The steps in a synthetic walk.
func steps(in walk: SyntheticWalk) throws -> [Step] { steps(in: try walk.samples()) }

/// The relative difference of a count from the expected one.
func deviation(_ count: Int, from expected: Int) -> Double { abs(Double(count - expected)) / Double(expected) }

/// The number of steps in samples, counted as `pedometer count` counts files.
func offlineCount(_ samples: [AccelerationSample]) -> Int {
  steps(in: samples, latency: StepDetector.longestRevision).count
}

/// The relative differences of counts that should be equal.
struct CountChanges {
  private(set) var fractions: [Double] = []
  private(set) var steps: [Int] = []

  mutating func add(_ count: Int, insteadOf expected: Int) {
    fractions.append(deviation(count, from: expected))
    steps.append(abs(count - expected))
  }

  /// Adds the range of several counts of one walk, as a fraction of their mean.
  mutating func add(rangeOf counts: [Int]) {
    guard let least = counts.min(), let most = counts.max() else { return }
    fractions.append(Double((most - least) * counts.count) / Double(counts.reduce(0, +)))
    steps.append(most - least)
  }

  /// As fractions of the expected count.
  var mean: Double { fractions.reduce(0, +) / Double(fractions.count) }
  var worst: Double { fractions.max() ?? .infinity }
  var percentile95: Double {
    let sorted = fractions.sorted()
    return sorted.isEmpty ? .infinity : sorted[(sorted.count * 95 + 99) / 100 - 1]
  }
  var mostSteps: Int { steps.max() ?? .max }
}
