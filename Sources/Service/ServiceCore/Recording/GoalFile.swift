import Foundation
import Platform
import Synchronization

/// Steps a day: one goal, or one for each weekday from Monday.
package struct GoalPlan: Sendable, Hashable {
  /// One number or seven.
  private let steps: [Int]

  /// `nil` unless these are one goal or seven.
  package init?(_ steps: [Int]) {
    guard [1, 7].contains(steps.count), steps.allSatisfy(GoalFile.goals.contains) else { return nil }
    self.steps = Set(steps).count == 1 ? [steps[0]] : steps
  }

  fileprivate init?(_ text: String) {
    self.init(text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").map { Int($0) ?? 0 })
  }

  fileprivate var text: String { steps.map(String.init).joined(separator: ",") }
  /// Seven numbers.
  package var week: [Int] { steps.count == 1 ? Array(repeating: steps[0], count: 7) : steps }

  /// The goal of a date such as `2026-11-26`; the first day of 1970 was a Thursday.
  package subscript(date: String) -> Int { week[((CivilDay(date)?.number ?? 0) + 3) % 7] }
}

/// The day's goal across restarts: a number in a file of the state folder, or seven with commas between them. The default goal
/// is in a second one, for `pedometer history`, which does not know the service's options. A third one has the goals of former
/// days: a line for each change, such as `2026-11-26,8000`.
package final class GoalFile: Sendable {
  private struct State {
    var kept: GoalPlan?
    var usual: GoalPlan?
    /// The goals since these dates, in order of time.
    var changes: [(since: String, plan: GoalPlan)] = []
    /// Whether the changes are in their file.
    var isSaved = true

    var plan: GoalPlan? { kept ?? usual }
  }

  /// The range of possible goals.
  package static let goals = 1...1_000_000

  private let path: String
  private let usualPath: String
  private let changesPath: String
  private let state: Mutex<State>

  /// Reads the saved goal.
  /// - Parameter usual: the default goal.
  /// - Throws: if a file is there and cannot be read: it would be replaced, and the goals of former days lost.
  package convenience init(folder: String, usual: Int?) throws(StateFileError) {
    try self.init(folder, usual: usual.flatMap { GoalPlan([$0]) })
    noteUsual(usual)
  }

  /// The goals of a service's folder, for commands, which change nothing in it.
  package convenience init(reading folder: String) throws(StateFileError) {
    try self.init(folder, usual: try SmallFile.text(of: folder + "/goal-usual").flatMap { GoalPlan($0) })
  }

  private init(_ folder: String, usual: GoalPlan?) throws(StateFileError) {
    (path, usualPath, changesPath) = (folder + "/goal", folder + "/goal-usual", folder + "/goals.csv")
    let kept = try SmallFile.text(of: path).flatMap { GoalPlan($0) }
    let changes = try SmallFile.text(of: changesPath)?.split(separator: "\n").compactMap {
      line -> (String, GoalPlan)? in
      let fields = line.split(separator: ",", maxSplits: 1)
      guard fields.count == 2, fields[0].utf8.count == 10, let plan = GoalPlan(String(fields[1])) else { return nil }
      return (String(fields[0]), plan)
    }
    state = Mutex(State(kept: kept, usual: usual, changes: changes ?? []))
  }

  /// Without space for it, only a chart lacks its mark.
  private func noteUsual(_ usual: Int?) {
    guard let usual else {
      unsafe unlink(usualPath)
      return
    }
    if (try? SmallFile.text(of: usualPath)) != "\(usual)\n" { try? SmallFile.write("\(usual)\n", to: usualPath) }
  }

  /// What holds now; `nil` without a goal.
  package var plan: GoalPlan? { state.withLock { $0.plan } }

  /// The goal that a day had; of days before the first change that is known, the goal before it.
  package func goal(on date: String) -> Int? {
    state.withLock { state in
      ((state.changes.last { $0.since <= date } ?? state.changes.first)?.plan ?? state.plan)?[date]
    }
  }

  /// Notes the goal as that of a day, if it has changed. What was reached on former days is measured by the goal they had.
  func note(on date: String) {
    let text: String? = state.withLock { state in
      guard let plan = state.plan, state.changes.last?.plan != plan || !state.isSaved else { return nil }
      if state.changes.last?.plan != plan {
        state.changes.removeAll { $0.since == date }
        state.changes.append((state.changes.isEmpty ? Self.beginning : date, plan))
      }
      return state.changes.map { "\($0.since),\($0.plan.text)\n" }.joined()
    }
    // Without space for it, it is tried again; after a restart, former days are measured by the goal before.
    guard let text else { return }
    let isSaved = (try? SmallFile.write(text, to: changesPath)) != nil
    state.withLock { $0.isSaved = isSaved }
  }

  /// The first goal is that of all days before it.
  private static let beginning = "0001-01-01"

  /// Saves other goals.
  package func set(_ plan: GoalPlan) throws(StateFileError) {
    try SmallFile.write("\(plan.text)\n", to: path)
    state.withLock { $0.kept = plan }
  }
}
