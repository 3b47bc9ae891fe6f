import JSONLines

/// How the recordings of a study are analysed; the same for all of them.
package struct StudyParameters: Sendable, Hashable {
  /// What a bout of walking is.
  package enum BoutRule: String, Sendable, Hashable, CaseIterable {
    /// Steps no more than two seconds apart, as `pedometer count --explain` lists them.
    case steps
    /// As stepcount 3 has it: windows of 10 s with at least 3 steps; a bout lasts while at least 80 % of its windows are
    /// such ones, and at most 3 in a row are not.
    case stepcount
  }

  /// What a bout is.
  package var boutRule = BoutRule.steps
  /// Wear that makes a day valid, in hours.
  package var validDay = 10.0
  /// When a day begins, in minutes after midnight.
  package var dayStart = 0
  /// Whether the mean amplitude deviation is written beside ENMO.
  package var includesMAD = false
  /// Whether the sensor is calibrated by its own rest first.
  package var calibrates = false
  /// What else was given and changes figures, as the command line has it.
  package var reading: [String] = []

  /// The usual ones.
  package init() {}

  /// All of them in one line: results with another line are made anew.
  package var text: String {
    let valid = Decimals.text(validDay, 2) ?? ""
    var words = ["bouts=\(boutRule.rawValue)", "valid-day=\(valid)", "day-start=\(dayStart)"]
    if includesMAD { words.append("mad") }
    if calibrates { words.append("calibrated") }
    return (words + reading).joined(separator: " ")
  }
}
