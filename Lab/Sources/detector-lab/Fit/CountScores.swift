@testable import Drawing

/// The accuracy of counts: what they mean over a day, the error of walks, the false steps without walking, and the uncounted walks that were kept.
struct CountScores {
  /// A walk with fewer true steps than this has no meaningful error in percent.
  static let fewestSteps = 10.0

  private struct Tally {
    var errors: [Double] = []
    var counted = 0.0
    var trueSteps = 0.0
    var falseSteps = 0.0
    var zeroHours = 0.0
    /// Uncounted walks whose count is within the limits of their cadence, and all of them.
    var kept = (walks: 0, all: 0)
  }
  private var tallies: [String: Tally] = [:]
  /// What the counts would mean over an ordinary day.
  private(set) var day = DayScores()
  /// The tallies by data set and activity.
  private var activities: [String: Tally] = [:]

  /// Adds one recording.
  /// - Parameter duration: in seconds.
  mutating func add(_ entry: RecordingIndex.Entry, counted: Int, duration: Double) {
    day.add(entry, counted: counted, duration: duration)
    let change = { (tally: inout Tally) in
      if let trueSteps = entry.trueSteps {
        if trueSteps >= Self.fewestSteps {
          tally.errors.append(abs(Double(counted) - trueSteps) / trueSteps)
          tally.counted += Double(counted)
          tally.trueSteps += trueSteps
        } else if trueSteps == 0 {
          tally.falseSteps += Double(counted)
          tally.zeroHours += duration / 3600
        }
      } else if let bounds = entry.bounds {
        tally.kept.all += 1
        if bounds.contains(Double(counted)) { tally.kept.walks += 1 }
      }
    }
    change(&tallies[entry.dataset, default: Tally()])
    change(&activities[entry.stratum, default: Tally()])
  }

  /// The accuracy on a data set; a figure is `nil` without recordings that give it.
  struct Figures: Hashable {
    /// The number of walks with a true count.
    var walks = 0
    /// The mean absolute error of their counts, and of all of them together, in percent.
    var error: Double?
    var bias: Double?
    /// The number of walks without a true count, and the share of those that were kept, in percent.
    var uncounted = 0
    var kept: Double?
    /// Hours without steps, and the steps that were counted in one.
    var hours = 0.0
    var falseSteps: Double?
  }

  /// The names of the data sets.
  var datasets: [String] { tallies.keys.sorted() }

  func figures(of dataset: String) -> Figures {
    let tally = tallies[dataset] ?? Tally()
    let share = { (part: Double, all: Double) in all > 0 ? part / all : nil }
    return Figures(
      walks: tally.errors.count, error: Self.mean(tally.errors).map { 100 * $0 },
      bias: share(tally.counted, tally.trueSteps).map { 100 * ($0 - 1) }, uncounted: tally.kept.all,
      kept: share(Double(tally.kept.walks), Double(tally.kept.all)).map { 100 * $0 }, hours: tally.zeroHours,
      falseSteps: share(tally.falseSteps, tally.zeroHours))
  }

  /// Mean absolute error of a data set's walks in percent; `nil` without any.
  func meanError(of dataset: String) -> Double? { figures(of: dataset).error }

  /// The mean of the data sets' errors in percent.
  /// - Parameter datasets: the data sets; `nil` for all with walks.
  func macroError(over datasets: [String]?) -> Double? {
    Self.mean((datasets ?? Array(tallies.keys)).compactMap(meanError))
  }

  /// Steps counted per hour in recordings without steps.
  var falseStepsPerHour: Double? {
    let hours = tallies.values.reduce(0) { $0 + $1.zeroHours }
    return hours > 0 ? tallies.values.reduce(0) { $0 + $1.falseSteps } / hours : nil
  }

  /// The same, as the mean over data sets and activities.
  var falseStepsPerHourByActivity: Double? {
    Self.mean(activities.values.filter { $0.zeroHours > 0 }.map { $0.falseSteps / $0.zeroHours })
  }

  /// The share of uncounted walks that were kept, in percent, as the mean over data sets and activities.
  var walksKept: Double? {
    Self.mean(
      activities.values.filter { $0.kept.all > 0 }.map { 100 * Double($0.kept.walks) / Double($0.kept.all) })
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The activities with the most false steps an hour, and those of which the fewest walks were kept.
  func worstActivities(_ count: Int) -> String {
    let rates = activities.filter { $0.value.falseSteps > 0 }
      .map { (name: $0.key, rate: $0.value.falseSteps / $0.value.zeroHours, steps: $0.value.falseSteps) }
      .sorted { ($0.rate, $0.name) > ($1.rate, $1.name) }
    let kept = activities.filter { $0.value.kept.all > $0.value.kept.walks }
      .map { (name: $0.key, share: 100 * Double($0.value.kept.walks) / Double($0.value.kept.all)) }
      .sorted { ($0.share, $0.name) < ($1.share, $1.name) }
    return rates.prefix(count).map { "  \($0.rate.fixed(1).right(9))/h \($0.steps.fixed(0).right(6))  \($0.name)\n" }
      .joined()
      + kept.prefix(count).map { "  kept \($0.share.fixed(1).right(6)) %  \($0.name)\n" }.joined()
  }

  /// One line for each data set, and the overall figures.
  func report(macroOver datasets: [String]?) -> String {
    var text = "  \(day.summary)\n"
    text +=
      "  \("data set".left(24))\("walks".right(6))\("MAPE %".right(9))\("bias %".right(9))\("false/h".right(10))\n"
    for name in self.datasets {
      let figures = figures(of: name)
      text +=
        "  \(name.left(24))\("\(figures.walks)".right(6))\((figures.error.map { $0.fixed(2) } ?? "").right(9))"
        + (figures.bias.map { $0.fixed(2) } ?? "").right(9)
        + (figures.falseSteps.map { $0.fixed(1) } ?? "").right(10) + "\n"
    }
    let macro = macroError(over: datasets).map { $0.fixed(2) + " %" } ?? "no walks"
    let rate = falseStepsPerHour.map { $0.fixed(1) + " an hour" } ?? "no recordings without steps"
    text += "  macro MAPE: \(macro); false steps: \(rate)"
    if let mean = falseStepsPerHourByActivity { text += ", by activity \(mean.fixed(1))" }
    if let walksKept { text += "; walks kept: \(walksKept.fixed(1)) %" }
    return text + "\n"
  }
}
