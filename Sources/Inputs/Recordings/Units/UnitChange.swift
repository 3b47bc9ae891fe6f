/// A change of the unit in the middle of a recording: gravity changes by the factor between two units, as where a logger was
/// updated, or between two ranges of a sensor, and may change back.
struct UnitChange: Equatable {
  /// In nanoseconds since the first sample.
  var time: Int64
  /// The length of gravity before and after it.
  var before: Double, after: Double

  private static let (fewest, mostChanges) = (3, 64)
  /// Gravity in the largest unit, g, less a margin. Where gravity was removed, the mean of a second says nothing.
  private static let leastGravity = 0.5
  /// Between g, m/s² and mg.
  private static let factors = [9.80665, 1 / 9.80665, 1000, 0.001, 101.97, 1 / 101.97]
  private static let rangeFactors = [2.0, 4, 8]

  /// - Parameters:
  ///   - means: the lengths of the mean vectors of parts of a second or so.
  ///   - times: when these begin, in nanoseconds.
  init?(means: [Double], times: [Int64]) {
    let jumps = means.indices.dropFirst().filter {
      let ratio = means[$0] / max(means[$0 - 1], 1e-9)
      return ratio > 1.6 || ratio < 1 / 1.6
    }
    // The part with the change in it may be between two jumps.
    let stretches = zip([0] + jumps, jumps + [means.count]).filter { $1 - $0 >= Self.fewest }
    for (first, second) in zip(stretches, stretches.dropFirst()).prefix(Self.mostChanges) {
      let (before, after) = (Array(means[first.0..<first.1]).median, Array(means[second.0..<second.1]).median)
      let ratio = after / max(before, 1e-9)
      let isRange = Self.rangeFactors.contains { abs(max(ratio, 1 / ratio) / $0 - 1) < 0.06 }
      guard min(before, after) >= Self.leastGravity,
        isRange || Self.factors.contains(where: { abs(ratio / $0 - 1) < 0.15 })
      else { continue }
      // Hardly one differs much from both.
      let factor = isRange ? 1.25 : 2
      let steady = means.count { mean in [before, after].contains { (1 / factor...factor).contains(mean / $0) } }
      guard steady * 20 >= means.count * 19 else { continue }
      self.init(time: times[first.1] - times[0], before: before, after: after)
      return
    }
    return nil
  }

  private init(time: Int64, before: Double, after: Double) {
    (self.time, self.before, self.after) = (time, before, after)
  }

  var sentence: String {
    "after \(UnitGuess.text((Double(time) / 1e9).rounded())) s the mean acceleration of a second changes from"
      + " \(UnitGuess.text(before)) to \(UnitGuess.text(after)), so the unit changes; count the parts before and after that"
      + " one by one, with \(option: .window) and \(option: .unit)"
  }
}
