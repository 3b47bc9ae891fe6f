import Foundation
import History
import Pedometry
import Synchronization

/// What distances and days are computed with. Without height and step length, distances are a guess.
package struct WalkSettings: Sendable, Hashable, Codable {
  /// Metres.
  package var height: Double?
  /// Metres; excludes a height.
  package var stepLength: Double?
  /// The time of day at which days begin, such as 04:00; `nil`: midnight.
  package var dayStart: String?

  package init() {}

  package var model: StepLengthModel {
    stepLength.map { .fixed($0) } ?? height.map { .walkRatio(height: $0) } ?? .walkRatio()
  }

  /// Of a day, after midnight.
  package var start: Duration { dayStart.flatMap { DayCalendar.dayStart($0) } ?? .zero }

  fileprivate func check() throws(ServiceRefusal) {
    func refuse(_ isWrong: Bool, _ reason: String) throws(ServiceRefusal) {
      if isWrong { throw ServiceRefusal(400, reason) }
    }
    let (heights, lengths) = (StepLengthModel.heights, StepLengthModel.lengths)
    try refuse(height != nil && stepLength != nil, "'height' and 'stepLength' exclude each other; send one of them")
    try refuse(
      height.map { !heights.contains($0) } ?? false,
      "'height' is in metres, from \(heights.lowerBound) to \(heights.upperBound), such as 1.80")
    try refuse(
      stepLength.map { !lengths.contains($0) } ?? false,
      "'stepLength' is in metres, from \(lengths.lowerBound) to \(lengths.upperBound), such as 0.72")
    try refuse(
      dayStart.map { DayCalendar.dayStart($0) == nil } ?? false, "'dayStart' is a time of day as HH:MM, such as 04:00")
  }
}

/// The settings across restarts, in a file of the state folder. Those of the options hold until others are set.
package final class SettingsFile: Sendable {
  private let file: StateFile<WalkSettings>
  private let noted: StateFile<WalkSettings>
  private let usual: WalkSettings
  private let kept: Mutex<WalkSettings?>

  /// - Parameter usual: those of the options; `nil`: those that the service noted.
  /// - Throws: if the file cannot be read: it would be replaced.
  package init(folder: String, usual: WalkSettings? = nil) throws(StateFileError) {
    (file, noted) = (StateFile(path: folder + "/settings.json"), StateFile(path: folder + "/settings-usual.json"))
    self.usual = if let usual { usual } else { try noted.read() ?? WalkSettings() }
    kept = Mutex(try file.read())
  }

  /// Notes those of the options, which commands do not know. Without space for it, only these begin days at another time.
  package func note() {
    if let kept = try? noted.read() ?? WalkSettings(), kept == usual { return }
    try? noted.write(usual)
  }

  package var present: WalkSettings { kept.withLock { $0 } ?? usual }

  /// - Throws: ``ServiceRefusal`` for values that cannot be, or if they cannot be stored.
  package func set(_ settings: WalkSettings) throws {
    try settings.check()
    try file.write(settings)
    kept.withLock { $0 = settings }
  }
}
