import JSONLines

/// The parameters of a study, the same for all recordings.
package struct StudyParameters: Sendable, Hashable {
  /// The wear that makes a day valid, in hours.
  package var validDay = 10.0
  /// The beginning of a day, in minutes after midnight.
  package var dayStart = 0
  /// Whether to compute the mean amplitude deviation in addition to ENMO.
  package var includesMAD = false
  package var measuresGait = false
  package var calibrates = false
  /// Other command-line options that affect the results.
  package var reading: [String] = []

  /// Creates the default parameters.
  package init() {}

  /// All parameters in one line; results with another line are computed again.
  package var text: String {
    let valid = Decimals.text(validDay, 2) ?? ""
    var words = ["valid-day=\(valid)", "day-start=\(dayStart)"]
    if includesMAD { words.append("mad") }
    if measuresGait { words.append("gait") }
    if calibrates { words.append("calibrated") }
    return (words + reading).joined(separator: " ")
  }
}
