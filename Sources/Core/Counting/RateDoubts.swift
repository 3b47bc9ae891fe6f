import Accelerometry
import JSONLines
import Pedometry
import StepDetection

extension WalkCounter {
  /// Doubts about a stated sampling frequency, because of the cadence, the confidence in the steps, a movement that repeats faster
  /// than steps, or the movement that was not counted.
  /// - Parameters:
  ///   - rate: the stated sampling frequency; `nil` if none was stated.
  ///   - findings: the totals of the bouts and of the movement that is in none.
  ///   - option: what the user calls the sampling frequency.
  package func doubts(about rate: SamplingFrequency?, _ findings: FindingTotals, option: String) -> [String] {
    guard let rate else { return [] }
    if let cadence = meanCadence.map({ $0 * 60 }), !Self.usualCadences.contains(cadence),
      let shown = Decimals.text(cadence, 0)
    {
      let fault = cadence < Self.usualCadences.lowerBound ? "slow" : "fast"
      return ["at \(rate) the cadence is \(shown) steps/min, too \(fault) for a long walk; check \(option)"]
    }
    if let confidence = findings.confidence, confidence < Self.usualConfidence, let shown = Decimals.text(confidence, 2)
    {
      return ["at \(rate) the steps are unlike those of people (confidence \(shown)); check \(option)"]
    }
    if let repetition = findings.repetition.tooFast, let shown = Decimals.text(repetition, 1) {
      return ["at \(rate) it repeats \(shown) times a second, faster than steps; check \(option)"]
    }
    if findings.uncounted * 2 > walk.elapsed {
      return [
        "at \(rate) most of the recording is movement, but not walking; "
          + "if it contains walking, check \(option)"
      ]
    }
    return []
  }

  /// Steps per minute, from slow walking to sprinting.
  private static let usualCadences = 60.0...215.0
  /// Of 2,404 recordings with their true sampling frequency, 678 of them walks and runs, 15 have a lower mean confidence; with 2.6 or
  /// 0.4 times as much, half of the walks whose cadence is usual.
  private static let usualConfidence = 0.85
}
