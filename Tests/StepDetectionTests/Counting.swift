import Accelerometry
import Pedometry
import Recordings
import StepDetection

/// The steps in some samples.
func steps(in samples: [AccelerationSample]) -> [Step] {
  var detector = StepDetector()
  var steps: [Step] = []
  detector.process(samples.span, into: &steps)
  detector.finish(into: &steps)
  return steps
}

/// The steps in a synthetic walk.
func steps(in walk: SyntheticWalk) throws -> [Step] { steps(in: try walk.samples()) }

/// How far one count is from another, as a fraction of the other.
func deviation(_ count: Int, from expected: Int) -> Double { abs(Double(count - expected)) / Double(expected) }
