/// Turns short wear between long non-wear into non-wear.
///
/// In three passes, an interval of wear between two of non-wear (``WearTime``) becomes non-wear if it lasts
/// at most six hours and less than 30 % of both together, or at most three hours and less than 80 %: van Hees V. T. et
/// al. "Separating movement and gravity components in an acceleration signal and implications for the assessment of
/// human daily physical activity". PLoS ONE 8 (2013) e61691, as in GGIR and scikit-digital-health.
package enum NonWear {
  /// - Parameter nonWear: one element per quarter of an hour.
  package static func regrouped(_ nonWear: [Bool]) -> [Bool] {
    var nonWear = nonWear
    for _ in 0..<3 {
      let runs = runs(of: nonWear)
      // All decisions of a pass use the state before it.
      for index in runs.indices where !runs[index].value {
        // Before the first and after the last interval, non-wear has length 0.
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
      if runs.last?.value != value { runs.append((value, index..<index)) }
      runs[runs.count - 1].range = runs[runs.count - 1].range.lowerBound..<(index + 1)
    }
    return runs
  }
}
