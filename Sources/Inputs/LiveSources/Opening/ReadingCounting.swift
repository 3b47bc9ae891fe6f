import Counting
import LinuxSensors
import Pedometry

/// Converts the readings of a source that counts its steps itself to events.
struct ReadingCounting {
  private var walk: StepCounterWalk
  private var latest: WalkTotals?
  private var gaps = 0
  private var warnings: [String] = []

  init(stepLength: StepLengthModel) { walk = StepCounterWalk(stepLength: stepLength) }

  mutating func take(_ reading: StepCounterReading, into events: inout [WalkEvent]) {
    let time = Duration.nanoseconds(reading.nanoseconds)
    if latest == nil { events.append(.began(at: time)) }
    if let gap = reading.gap {
      gaps += 1
      events.append(.gap(.interruption(gap)))
    }
    if let warning = reading.warning, !warnings.contains(warning) {
      warnings.append(warning)
      events.append(.warning(warning))
    }
    let totals = walk.take(reading)
    latest = totals
    events.append(.progress(WalkProgress(steps: walk.newSteps, totals: totals, now: time)))
  }

  mutating func end(into events: inout [WalkEvent]) {
    var summary = latest.map { WalkSummary($0) } ?? WalkSummary()
    (summary.gaps, summary.warnings) = (gaps, warnings)
    events.append(.ended(summary))
  }
}
