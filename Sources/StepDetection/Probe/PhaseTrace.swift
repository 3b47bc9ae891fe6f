/// The phase counting of each peak of a walk, for drawing.
///
/// ``StepDecider`` does the counting; this applies the same rule to a walk whose first step is known, and records what
/// the decider discards. The running peak height starts with the median over the walk, while the decider only knows its
/// beginning, so about the first ten peaks may have another threshold.
package struct PhaseTrace: Sendable {
  /// A peak above the threshold.
  package struct Reading: Sendable {
    /// Seconds since the start of the run.
    package var time: Double
    /// Turns since the latest step at the peak: near 0 for a spurious peak, near 1 for a step.
    package var phase: Float
    /// The number of whole turns, which is the number of steps of this peak.
    package var turns: Int
    /// The remainder that is carried over to the next peak.
    package var rest: Float
  }

  package private(set) var readings: [Reading] = []

  /// - Parameters:
  ///   - peaks: the peaks of the whole walk, in order.
  ///   - blocks: the blocks of the same run.
  ///   - first: the peak of the walk's first step, in seconds since the start of the run.
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
