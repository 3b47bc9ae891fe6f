/// A change of the unit in the middle of a recording: gravity changes once, by the factor between two units, as where a logger
/// was updated, or between two ranges of a sensor.
struct UnitChange: Equatable {
  /// In nanoseconds since the first sample.
  var time: Int64
  /// The length of gravity before and after it.
  var before: Double, after: Double

  private static let fewest = 3
  /// Gravity in the largest unit, g, less a margin. Where gravity was removed, the mean of a second says nothing.
  private static let leastGravity = 0.5
  /// Between g, m/s² and mg.
  private static let factors = [9.80665, 1 / 9.80665, 1000, 0.001, 101.97, 1 / 101.97]
  private static let rangeFactors = [2.0, 4, 8]

  /// - Parameters:
  ///   - means: the lengths of the mean vectors of parts of a second or so.
  ///   - times: when these begin, in nanoseconds.
  init?(means: [Double], times: [Int64]) {
    let jumps = means.indices.dropFirst(Self.fewest).dropLast(Self.fewest - 1).filter {
      let ratio = means[$0] / max(means[$0 - 1], 1e-9)
      return ratio > 1.6 || ratio < 1 / 1.6
    }
    // The part with the change in it may be one of two jumps.
    for place in jumps.prefix(8) {
      let (before, after) = (means[..<place], means[place...])
      let middles = (Self.middle(before), Self.middle(after))
      let ratio = middles.1 / max(middles.0, 1e-9)
      let isRange = Self.rangeFactors.contains { abs(max(ratio, 1 / ratio) / $0 - 1) < 0.06 }
      guard min(middles.0, middles.1) >= Self.leastGravity,
        isRange || Self.factors.contains(where: { abs(ratio / $0 - 1) < 0.15 }),
        Self.areSteady(before, middles.0, within: isRange ? 1.25 : 2),
        Self.areSteady(after, middles.1, within: isRange ? 1.25 : 2)
      else { continue }
      self.init(time: times[place] - times[0], before: middles.0, after: middles.1)
      return
    }
    return nil
  }

  private init(time: Int64, before: Double, after: Double) {
    (self.time, self.before, self.after) = (time, before, after)
  }

  private static func middle(_ means: ArraySlice<Double>) -> Double { means.sorted()[means.count / 2] }

  /// Whether hardly one differs much from the middle one.
  private static func areSteady(_ means: ArraySlice<Double>, _ middle: Double, within factor: Double) -> Bool {
    means.count { (1 / factor...factor).contains($0 / middle) } * 20 >= means.count * 19
  }

  /// What the user should know and do.
  var sentence: String {
    "after \(UnitGuess.text((Double(time) / 1e9).rounded())) s the mean acceleration of a second changes from"
      + " \(UnitGuess.text(before)) to \(UnitGuess.text(after)), so the unit changes; count the parts before and after that"
      + " one by one, with \(option: .window) and \(option: .unit)"
  }
}
