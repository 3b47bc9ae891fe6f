import Foundation
import Synchronization

/// The day's goal across restarts: a number in a file of the state folder.
final class GoalFile: Sendable {
  private struct State {
    var kept: Int?
    var usual: Int?
  }

  private let path: String
  private let state: Mutex<State>

  /// Reads the saved goal.
  /// - Parameter usual: the default goal.
  init(folder: String, usual: Int?) {
    path = folder + "/goal"
    let kept = SmallFile.text(of: path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    state = Mutex(State(kept: kept.flatMap { $0 > 0 ? $0 : nil }, usual: usual))
  }

  /// Steps a day; `nil` without a goal.
  var goal: Int? { state.withLock { $0.kept ?? $0.usual } }

  /// The goal that was set through the API.
  var chosen: Int? { state.withLock { $0.kept } }

  /// Changes the default goal.
  func setUsual(_ usual: Int?) { state.withLock { $0.usual = usual } }

  /// Saves another goal.
  func set(_ steps: Int) throws(SmallFileError) {
    try SmallFile.write("\(steps)\n", to: path)
    state.withLock { $0.kept = steps }
  }
}
