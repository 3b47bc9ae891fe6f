/// What counting by phase makes of each peak of a walk: for drawing.
///
/// ``StepDecider`` does the counting; this follows the same rule over a walk whose first step is known, and keeps what
/// the decider forgets. The running peak height begins with the median over the walk, where the decider knows its
/// beginning only, so the first ten peaks or so may be asked differently.
package struct PhaseTrace: Sendable {
  /// One peak that was high enough to be asked.
  package struct Reading: Sendable {
    /// Seconds since the run's start.
    package var time: Double
    /// Turns since the latest step, as the peak finds them: near 0 for a spurious peak, near 1 for a step.
    package var phase: Float
    /// The whole turns in it: the steps that this peak makes.
    package var turns: Int
    /// What is carried on to the next peak.
    package var rest: Float
  }

  package private(set) var readings: [Reading] = []

  /// - Parameters:
  ///   - peaks: of the whole walk, in order.
  ///   - blocks: of the same run.
  ///   - first: the peak of the walk's first step, in seconds since the run's start.
  package init(peaks: [(time: Double, height: Float)], blocks: [BlockObservation], from first: Double) {
    let asked = peaks.filter { $0.time > first + 1e-6 }
    guard !asked.isEmpty else { return }
    var peakHeight = asked.map { $0.height }.sorted()[asked.count / 2]
    var history = BlockHistory()
    var coming = blocks[...]
    var (previous, phase) = (first, Float(0))
    for peak in asked {
      while let block = coming.first, history.count == 0 || history[history.count - 1].centre <= peak.time {
        history.append(BlockEvidence(centre: block.centre, cadence: block.cadence, evidence: block.evidence))
        coming.removeFirst()
      }
      if peak.height <= max(Tuning.smallestStepPeak, Tuning.relativePeakHeight * peakHeight) { continue }
      phase += history.phase(from: previous, to: peak.time)
      let turns = (phase + 0.5).rounded(.down)
      let rest = (phase - turns) * (1 - Tuning.phasePull)
      readings.append(Reading(time: peak.time, phase: phase, turns: Int(turns), rest: rest))
      (previous, phase) = (peak.time, rest)
      peakHeight += Tuning.peakHeightTracking * (peak.height - peakHeight)
    }
  }
}
