import Foundation
import Platform
import Synchronization

/// The day's goal across restarts: a number in a file of the state folder. The default goal is in a second one, for
/// `pedometer history`, which does not know the service's options.
package final class GoalFile: Sendable {
  private struct State {
    var kept: Int?
    var usual: Int?
  }

  /// The range of possible goals.
  package static let goals = 1...1_000_000

  private let path: String
  private let usualPath: String
  private let state: Mutex<State>

  /// Reads the saved goal.
  /// - Parameter usual: the default goal.
  package init(folder: String, usual: Int?) {
    (path, usualPath) = (folder + "/goal", folder + "/goal-usual")
    let kept = SmallFile.text(of: path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    state = Mutex(State(kept: kept.flatMap { $0 > 0 ? $0 : nil }, usual: usual))
    noteUsual(usual)
  }

  /// Without space for it, only a chart lacks its mark.
  private func noteUsual(_ usual: Int?) {
    guard let usual else {
      unsafe unlink(usualPath)
      return
    }
    if SmallFile.text(of: usualPath) != "\(usual)\n" { try? SmallFile.write("\(usual)\n", to: usualPath) }
  }

  /// Steps a day; `nil` without a goal.
  var goal: Int? { state.withLock { $0.kept ?? $0.usual } }

  /// The goal that was set through the API.
  package var chosen: Int? { state.withLock { $0.kept } }

  /// Changes the default goal.
  package func setUsual(_ usual: Int?) {
    state.withLock { $0.usual = usual }
    noteUsual(usual)
  }

  /// Saves another goal.
  func set(_ steps: Int) throws(SmallFileError) {
    try SmallFile.write("\(steps)\n", to: path)
    state.withLock { $0.kept = steps }
  }
}
