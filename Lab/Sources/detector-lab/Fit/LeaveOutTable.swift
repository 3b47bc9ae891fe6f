@testable import Drawing

/// The accuracy on what was left out of the fit: a line for each kind of unit, with the mean over several seeds of the
/// fit and the smallest and the largest value.
///
/// Single fits differ by 0.3 points of macro MAPE and 8 false steps an hour, so that a setting is chosen on means.
struct LeaveOutTable {
  /// The data sets that make the macro MAPE; `nil` for all with walks.
  var macro: [String]?

  static let header =
    "\("left out".left(12))\("day error %".right(20))\("walks lost %".right(20))\("false steps/h".right(22))\("by activity".right(22))\("macro MAPE %".right(20))"
    + "\("kept %".right(20))\n"

  /// - Parameter scores: by seed.
  func line(_ name: String, _ scores: [CountScores]) -> String {
    Self.short(name).left(12) + Self.figure(scores.map { $0.day.error }, 2).right(20)
      + Self.figure(scores.map { $0.day.lostShare }, 2).right(20)
      + Self.figure(scores.map(\.falseStepsPerHour), 1).right(22)
      + Self.figure(scores.map(\.falseStepsPerHourByActivity), 1).right(22)
      + Self.figure(scores.map { $0.macroError(over: macro) }, 2).right(20)
      + Self.figure(scores.map(\.walksKept), 1).right(20) + "\n"
  }

  /// The last component of a path.
  private static func short(_ name: String) -> String {
    name.hasPrefix("in ") ? "  " + (name.split(separator: "/").last.map(String.init) ?? name) : name
  }

  /// The mean, and the range if there are several values.
  static func figure(_ values: [Double?], _ decimals: Int) -> String {
    let given = values.compactMap(\.self)
    guard let least = given.min(), let most = given.max() else { return "none" }
    let mean = (given.reduce(0, +) / Double(given.count)).fixed(decimals)
    return given.count == 1 ? mean : "\(mean) (\(least.fixed(decimals))-\(most.fixed(decimals)))"
  }
}
