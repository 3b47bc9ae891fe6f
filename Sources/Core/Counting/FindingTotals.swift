import Accelerometry
import StepDetection

/// The totals of all findings of a recording.
package struct FindingTotals: Sendable {
  private var sum = 0.0
  private var steps = 0
  /// The duration of movement that is in no bout, and not too quiet for one.
  package private(set) var uncounted = Duration.zero

  /// How often the acceleration repeats, if its samples were added.
  package private(set) var repetition = RepetitionWatch()

  /// Creates totals of nothing.
  package init() {}

  package mutating func add(_ findings: [WalkFinding]) {
    for finding in findings {
      switch finding {
      case .bout(let bout):
        sum += bout.confidence * Double(bout.steps)
        steps += bout.steps
      case .stretch(let stretch):
        if stretch.objection != .quiet { uncounted += stretch.end - stretch.start }
      }
    }
  }

  /// Adds samples whose sampling frequency the user stated.
  package mutating func add(_ samples: Span<AccelerationSample>) { repetition.add(samples) }

  /// The mean confidence of the steps, 0 to 1; `nil` without steps.
  package var confidence: Double? { steps > 0 ? sum / Double(steps) : nil }
}
