@testable import Drawing

/// An ordinary day of 8,000 steps: how much of it each class of activity takes.
///
/// An hour of bench presses is rare and a walk is not. The minutes and steps are rounded figures from time-use surveys, one
/// assumption for all gates. A class is recognised by words of the activity's name; the first that matches applies.
enum Day {
  struct Class {
    var name: String
    /// Minutes a day without steps, or steps a day.
    var amount: Double
    fileprivate var words: [String]

    init(_ name: String, _ amount: Double, _ words: String) {
      (self.name, self.amount) = (name, amount)
      self.words = words.split(separator: " ").map { String($0).replacing("_", with: " ") }
    }
  }

  static let rests = [
    Class(
      "exercise", 10,
      "gym rowing exercise physi barbell bench box band dribbl catch clap jump yoga plank head parcel swing squat juggl "
        + "skip rope dumbbell press curl"),
    Class("cycling", 5, "cycl bicycl bike"),
    Class("driving", 60, "driv car bus train vehicle"),
    Class("eating", 70, "eat drink meal soup"),
    Class("desk", 180, "writing write typing exam desk work computer keyboard"),
    Class(
      "household", 95,
      "brush comb teeth hair fold pour telephone call door sit_down sit_low sit_on bend raising turn get_up crouch shoe "
        + "zip chair wash dish iron sweep vacuum cloth cook hit not_walking non_walk"),
    Class("lying", 510, "lying lie bed sleep"),
    Class("sitting", 425, ""),
  ]

  static let walks = [
    Class("stairs", 400, "stair ascend descend"),
    Class("runs", 500, "run jog"),
    Class(
      "slow or aided", 400,
      "shuffl stick brace cane stroke elderly 77-95 toddler slow patient parkinson ,_pd dog"),
    Class("short", 1200, "sit,_stand sit-walk 5_m u-turn short"),
    Class("walks", 5500, ""),
  ]

  /// Steps a day.
  static let steps = 8000.0

  /// The class of a recording.
  static func index(of activity: String, isWalk: Bool) -> Int {
    let (name, classes) = (activity.lowercased(), isWalk ? walks : rests)
    return classes.firstIndex { $0.words.contains { name.contains($0) } } ?? classes.count - 1
  }
}

/// What counts would mean over an ordinary day, and the walks that were lost.
struct DayScores {
  /// A walk of at least this many steps is lost if less than half is counted.
  static let fewestSteps = 20.0

  /// By class, data set and activity: hours and false steps, or the errors of the walks.
  private var rests = Day.rests.map { _ in [String: (steps: Double, hours: Double)]() }
  private var walks = Day.walks.map { _ in [String: [Double]]() }
  private var people: [String: Bool] = [:]
  /// Walks of at least ``fewestSteps``.
  private(set) var long = 0
  /// The paths of those that were lost.
  private(set) var lost: [String] = []

  /// - Parameter duration: in seconds.
  mutating func add(_ entry: RecordingIndex.Entry, counted: Int, duration: Double) {
    let (counted, place) = (Double(counted), Day.index(of: entry.activity, isWalk: entry.isWalk))
    guard entry.isWalk else {
      let old = rests[place][entry.stratum] ?? (0, 0)
      rests[place][entry.stratum] = (old.steps + counted, old.hours + duration / 3600)
      return
    }
    guard let range = entry.trueSteps.map({ $0...$0 }) ?? entry.bounds, range.lowerBound >= 1 else { return }
    let missed = max(0, range.lowerBound - counted) / range.lowerBound
    let added = max(0, counted - range.upperBound) / range.upperBound
    walks[place][entry.stratum, default: []].append(min(2, missed + added))
    guard range.lowerBound >= Self.fewestSteps else { return }
    long += 1
    let isLost = counted < range.lowerBound / 2
    if isLost { lost.append(entry.path) }
    let person = "\(entry.dataset)|\(entry.group ?? "")"
    people[person] = people[person] ?? false || isLost
  }

  /// False steps a day.
  var falseSteps: Double {
    zip(Day.rests, rests).reduce(0) { sum, pair in
      let weights = pair.1.values.reduce(0) { $0 + min($1.hours, 0.5) }
      let rate = pair.1.values.filter { $0.hours > 0 }.reduce(0) { $0 + $1.steps / $1.hours * min($1.hours, 0.5) }
      return weights > 0 ? sum + rate / weights * pair.0.amount / 60 : sum
    }
  }

  /// Steps a day that were missed or added.
  var wrongSteps: Double {
    var (wrong, known) = (0.0, 0.0)
    for (kind, activities) in zip(Day.walks, walks) where !activities.isEmpty {
      let (mean, weight) = activities.values.reduce((0.0, 0.0)) { sum, errors in
        let weight = Double(min(errors.count, 20))
        return (sum.0 + weight * errors.reduce(0, +) / Double(errors.count), sum.1 + weight)
      }
      wrong += mean / weight * kind.amount
      known += kind.amount
    }
    return known > 0 ? wrong * Day.steps / known : 0
  }

  /// False, missed and added steps of a day, in percent of its steps; `nil` without recordings.
  var error: Double? {
    let isEmpty = rests.allSatisfy(\.isEmpty) && walks.allSatisfy(\.isEmpty)
    return isEmpty ? nil : 100 * (falseSteps + wrongSteps) / Day.steps
  }
  /// In percent; `nil` without long walks.
  var lostShare: Double? { long > 0 ? 100 * Double(lost.count) / Double(long) : nil }

  /// One line.
  var summary: String {
    "day error: \(error.map { $0.fixed(2) + " %" } ?? "none") (\(falseSteps.fixed(0)) false and \(wrongSteps.fixed(0)) missed or "
      + "added steps of \(Day.steps.fixed(0))); walks lost: \(lost.count) of \(long), people lost: \(peopleLost) of \(peopleCount)"
  }
  var peopleLost: Int { people.values.count { $0 } }
  var peopleCount: Int { people.count }
}
