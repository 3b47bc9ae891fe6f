@testable import StepDetection

/// How many walks are counted within a tenth after they were slowed down, by data set and cadence.
struct SlowedCounts {
  static let cadences = [50.0, 55, 60]

  /// For each data set and cadence, the walks within a tenth, and all.
  private(set) var tallies: [String: [(good: Int, all: Int)]] = [:]

  init() {}

  /// Slows one recording down, if it is a walk with a true count that can be.
  init(of recording: LabelledRecordings.Recording, models: GateModels) {
    guard recording.entry.trueSteps ?? 0 >= 20 else { return }
    let plain = DetectorRun(recording.samples)
    tallies[recording.entry.dataset] = Self.cadences.map { cadence in
      guard let slow = SlowedWalk(recording.samples, strikes: plain.steps, cadence: cadence) else { return (0, 0) }
      let counted = Double(DetectorRun(slow.samples, models: models).steps.count)
      return (abs(counted / Double(slow.strikes.count) - 1) <= 0.1 ? 1 : 0, 1)
    }
  }

  static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.tallies.merge(b.tallies) { zip($0, $1).map { ($0.good + $1.good, $0.all + $1.all) } }
    return sum
  }
}
