/// Finds when a sensor was not worn.
///
/// A quarter of an hour is non-wear when, over the hour around it, the standard deviation of at least two axes is below
/// 13 mg and their range below 50 mg: van Hees V. T. et al. "Estimation of daily energy expenditure in pregnant and
/// non-pregnant women using a wrist-worn tri-axial accelerometer". PLoS ONE 6 (2011) e22922, with the thresholds of
/// e61691 (2013). Then, three times over, a stretch of wear between two of non-wear becomes non-wear when it lasts at most
/// six hours and less than 30 % of both together, or at most three hours and less than 80 %: e61691, as GGIR and
/// scikit-digital-health have it. A quarter of an hour without samples is non-wear.
enum NonWear {
  static let deviation = 0.013
  static let range: Float = 0.05

  /// By quarter of an hour since the first sample: whether the sensor was not worn.
  static func quarters(_ parts: [MotionTable.Part]) -> [Bool] {
    let count = (parts.count + 1) / 2
    return regrouped(
      (0..<count).map { quarter in
        let own = 2 * quarter..<min(parts.count, 2 * quarter + 2)
        if parts[own].allSatisfy({ $0.samples == 0 }) { return true }
        return isStill(parts[max(0, own.lowerBound - 3)..<min(parts.count, own.lowerBound + 5)])
      })
  }

  private static func isStill(_ hour: ArraySlice<MotionTable.Part>) -> Bool {
    var whole = MotionTable.Part()
    for part in hour {
      whole.samples += part.samples
      whole.sum += part.sum
      whole.squares += part.squares
      whole.least = pointwiseMin(whole.least, part.least)
      whole.most = pointwiseMax(whole.most, part.most)
    }
    guard whole.samples > 1 else { return true }
    var still = 0
    for axis in 0..<3 {
      let mean = whole.sum[axis] / whole.samples
      let variance = max(0, whole.squares[axis] / whole.samples - mean * mean)
      if variance.squareRoot() < deviation, whole.most[axis] - whole.least[axis] < range { still += 1 }
    }
    return still >= 2
  }

  /// Takes short wear between long non-wear for handling of the sensor.
  static func regrouped(_ nonWear: [Bool]) -> [Bool] {
    var nonWear = nonWear
    for _ in 0..<3 {
      let runs = runs(of: nonWear)
      // All of a turn are judged by what stood before it.
      for index in runs.indices where !runs[index].value {
        // Beyond the ends of the recording lies non-wear of no length.
        let before = index > 0 ? runs[index - 1].range.count : 0
        let after = index < runs.count - 1 ? runs[index + 1].range.count : 0
        let around = Double(before + after)
        let hours = Double(runs[index].range.count) / 4
        let share = Double(runs[index].range.count) / around
        if (hours <= 6 && hours > 3 && share < 0.3) || (hours <= 3 && share < 0.8) {
          for quarter in runs[index].range { nonWear[quarter] = true }
        }
      }
    }
    return nonWear
  }

  private static func runs(of values: [Bool]) -> [(value: Bool, range: Range<Int>)] {
    var runs: [(value: Bool, range: Range<Int>)] = []
    for (index, value) in values.enumerated() {
      if let last = runs.last, last.value == value {
        runs[runs.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        runs.append((value, index..<(index + 1)))
      }
    }
    return runs
  }
}
