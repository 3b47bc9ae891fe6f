import Foundation
import Pedometry
import Platform

/// Steps of a period in which their times are unknown: they are spread evenly.
package enum EvenSteps {
  /// A longer period does not tell on which day its steps were taken, in seconds. A day has up to 25 hours.
  package static let longestPeriod = 90_000.0

  /// Whole numbers of steps by weight. Their sum is exact, because the running sum is rounded.
  package static func shares(of steps: Int, by weights: [Double]) -> [Int] {
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return weights.map { _ in 0 } }
    var (reached, given) = (0.0, 0)
    return weights.map { weight in
      reached += weight
      let up = Int(bounded: Double(steps) * reached / sum)
      defer { given = up }
      return up - given
    }
  }

  /// Totals of a part of a period's steps. After a pause, each step has the duration of a usual one.
  /// - Parameters:
  ///   - part: the steps of the part.
  ///   - steps: those of the whole period.
  ///   - seconds: the length of the period.
  ///   - distance: of the period in metres, if it is known.
  package static func totals(
    of part: Int, in steps: Int, over seconds: Double, distance: Double? = nil, stepLength: StepLengthModel
  ) -> WalkTotals {
    let interval = seconds / Double(max(1, steps))
    let active = (0.2...2).contains(interval) ? interval : 60 / StepLengthModel.usualCadence
    let length = distance.map { $0 / Double(max(1, steps)) } ?? stepLength.length(atCadence: 1 / active)
    return WalkTotals(
      steps: part, distanceTravelled: min(length, WalkedStep.longestDistance) * Double(part),
      activeTime: .seconds(active * Double(part)))
  }
}
