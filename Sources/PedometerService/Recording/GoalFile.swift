import Foundation
import Synchronization

/// The day's goal across restarts: a number in a file of the state folder.
final class GoalFile: Sendable {
  private let path: String
  private let present: Mutex<Int?>

  /// Reads the saved goal.
  /// - Parameter usual: the default goal.
  init(folder: String, usual: Int?) {
    path = folder + "/goal"
    let kept = SmallFile.text(of: path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    present = Mutex(kept.flatMap { $0 > 0 ? $0 : nil } ?? usual)
  }

  /// Steps a day; `nil` without a goal.
  var goal: Int? { present.withLock { $0 } }

  /// Saves another goal.
  func set(_ steps: Int) throws(SmallFileError) {
    try SmallFile.write("\(steps)\n", to: path)
    present.withLock { $0 = steps }
  }
}
