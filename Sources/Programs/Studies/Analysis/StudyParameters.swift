import JSONLines

/// The parameters of a study, the same for all recordings.
package struct StudyParameters: Sendable, Hashable {
  /// Definitions of a bout of walking.
  package enum BoutRule: String, Sendable, Hashable, CaseIterable {
    /// Steps at most two seconds apart, as in `pedometer count --explain`.
    case steps
    /// As in stepcount 3: windows of 10 s with at least 3 steps; a bout lasts while at least 80 % of its windows have
    /// that many and at most 3 in a row do not.
    case stepcount
    /// As in GGIR, for bouts of at least one, five or ten minutes: epochs of 5 s with at least 2 steps; in any interval
    /// of that length at least 80 % of the epochs are walking, and no pause is longer than a minute.
    case ggir
    case ggir5 = "ggir-5"
    case ggir10 = "ggir-10"

    /// The minimum length of a bout by GGIR's rule, in minutes.
    var leastMinutes: Int? {
      switch self {
      case .ggir: 1
      case .ggir5: 5
      case .ggir10: 10
      case .steps, .stepcount: nil
      }
    }
  }

  /// The definition of a bout.
  package var boutRule = BoutRule.steps
  /// The wear that makes a day valid, in hours.
  package var validDay = 10.0
  /// The beginning of a day, in minutes after midnight.
  package var dayStart = 0
  /// Whether to compute the mean amplitude deviation in addition to ENMO.
  package var includesMAD = false
  /// Whether to measure the gait of each bout.
  package var measuresGait = false
  /// Whether to calibrate the sensor first.
  package var calibrates = false
  /// Other command-line options that affect the results.
  package var reading: [String] = []

  /// Creates the default parameters.
  package init() {}

  /// All parameters in one line; results with another line are computed again.
  package var text: String {
    let valid = Decimals.text(validDay, 2) ?? ""
    var words = ["bouts=\(boutRule.rawValue)", "valid-day=\(valid)", "day-start=\(dayStart)"]
    if includesMAD { words.append("mad") }
    if measuresGait { words.append("gait") }
    if calibrates { words.append("calibrated") }
    return (words + reading).joined(separator: " ")
  }
}
