import Foundation
import Platform
import Synchronization

/// The day's goal across restarts: a number in a file of the state folder. The default goal is in a second one, for
/// `pedometer history`, which does not know the service's options. A third one has the goals of former days: a line for each
/// change, such as `2026-11-26,8000`.
package final class GoalFile: Sendable {
  private struct State {
    var kept: Int?
    var usual: Int?
    /// The goals since these dates, in order of time.
    var changes: [(since: String, goal: Int)] = []
    /// Whether the changes are in their file.
    var isSaved = true

    var goal: Int? { kept ?? usual }
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
  package init(folder: String, usual: Int?) throws(StateFileError) {
    (path, usualPath, changesPath) = (folder + "/goal", folder + "/goal-usual", folder + "/goals.csv")
    let kept = try SmallFile.text(of: path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    let changes = try SmallFile.text(of: changesPath)?.split(separator: "\n").compactMap { line -> (String, Int)? in
      let fields = line.split(separator: ",")
      guard fields.count == 2, fields[0].utf8.count == 10, let goal = Int(fields[1]) else { return nil }
      return (String(fields[0]), goal)
    }
    state = Mutex(State(kept: kept.flatMap { $0 > 0 ? $0 : nil }, usual: usual, changes: changes ?? []))
    noteUsual(usual)
  }

  /// Without space for it, only a chart lacks its mark.
  private func noteUsual(_ usual: Int?) {
    guard let usual else {
      unsafe unlink(usualPath)
      return
    }
    if (try? SmallFile.text(of: usualPath)) != "\(usual)\n" { try? SmallFile.write("\(usual)\n", to: usualPath) }
  }

  /// Steps a day; `nil` without a goal.
  var goal: Int? { state.withLock { $0.goal } }

  /// The goal that a day had; of days before the first change that is known, the goal before it.
  package func goal(on date: String) -> Int? {
    state.withLock { state in (state.changes.last { $0.since <= date } ?? state.changes.first)?.goal ?? state.goal }
  }

  /// Notes the goal as that of a day, if it has changed. What was reached on former days is measured by the goal they had.
  func note(on date: String) {
    let text: String? = state.withLock { state in
      guard let goal = state.goal, state.changes.last?.goal != goal || !state.isSaved else { return nil }
      if state.changes.last?.goal != goal {
        state.changes.removeAll { $0.since == date }
        state.changes.append((state.changes.isEmpty ? Self.beginning : date, goal))
      }
      return state.changes.map { "\($0.since),\($0.goal)\n" }.joined()
    }
    // Without space for it, it is tried again; after a restart, former days are measured by the goal before.
    guard let text else { return }
    let isSaved = (try? SmallFile.write(text, to: changesPath)) != nil
    state.withLock { $0.isSaved = isSaved }
  }

  /// The first goal is that of all days before it.
  private static let beginning = "0001-01-01"

  /// Saves another goal.
  func set(_ steps: Int) throws(StateFileError) {
    try SmallFile.write("\(steps)\n", to: path)
    state.withLock { $0.kept = steps }
  }
}
