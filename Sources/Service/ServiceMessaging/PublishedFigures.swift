import Foundation
import History
import JSONLines
import Pedometry
import ServiceCore

/// What is published, at one moment. Totals are absolute, so a message that is lost or repeated does no harm.
package struct PublishedFigures: Sendable, Hashable {
  /// Since the history began; `nil` if it cannot be read.
  var total: WalkTotals?
  /// The day so far; `nil` if the history cannot be read.
  var today: TodayFigures?
  var sources: [SourceState]
  /// The address of the live page, if it is known.
  package var page: String?

  package init(total: WalkTotals?, today: TodayFigures?, sources: [SourceState]) {
    (self.total, self.today, self.sources) = (total, today, sources)
  }

  /// Cadence in steps per minute: 0 while standing, `nil` if nothing counts.
  var cadence: Double? {
    let counting = sources.filter { $0.state == .counting }
    if counting.isEmpty { return nil }
    return (counting.compactMap { $0.walk?.currentCadence }.max() ?? 0) * 60
  }

  /// Whether it is not known yet if there is a problem, because the first attempts to open the sources run: a sensor with a buffer
  /// takes two seconds, and a Bluetooth sensor some more.
  private var isUndecided: Bool {
    let sensors = sources.filter { !Self.isClient($0) }
    return total != nil && today != nil && !sensors.isEmpty
      && sensors.allSatisfy { $0.state == .waiting && $0.reason == nil }
  }

  private static func isClient(_ source: SourceState) -> Bool { source.uri.hasPrefix("client:") }

  /// Why steps may be missing; `nil` if a source has samples that can be counted, none is lost, and the history can be read, or if that is not
  /// known yet. Clients come and go, so a lost one is not a problem.
  var problem: String? {
    if isUndecided { return nil }
    if total == nil || today == nil { return "the history cannot be read" }
    let isClient = Self.isClient
    if let source = sources.first(where: { !isClient($0) && ($0.state == .lost || $0.state == .denied) }) {
      return "\(source.uri): \(source.reason ?? source.state.rawValue)"
    }
    if sources.contains(where: { $0.state == .counting && $0.reason == nil }) { return nil }
    return sources.first { $0.reason != nil }.flatMap { source in source.reason.map { "\(source.uri): \($0)" } }
      ?? "no source is counting"
  }

  /// Whether the day's goal is reached, with the walker's answers; `nil` without a goal.
  private var isGoalReached: Bool? {
    guard let today, let goal = today.goal else { return nil }
    return (today.corrected?.steps ?? today.steps) >= goal
  }

  /// The message on ``MQTTTopics/state``.
  var state: String {
    let cadence = cadence
    var line = JSONLine([
      "date": today?.date, "steps": total?.steps, "distanceTravelled": total?.distanceTravelled.decimals(1),
      "stepsToday": today?.steps, "distanceToday": today?.distanceTravelled.decimals(1),
      "stepsPerMinute": cadence.decimals(0), "walking": cadence.map { Self.word($0 > 0) },
      "problem": isUndecided ? nil : Self.word(problem != nil), "activeTimeToday": today?.activeTime.decimals(0),
      "goal": today?.goal, "goalReached": isGoalReached.map(Self.word),
    ])
    line.add(corrected: today?.corrected)
    return line.object
  }

  /// The message on ``MQTTTopics/sources``.
  var details: String { JSONLine(["problem": problem, "sources": sources.map(Self.details)]).object }

  private static func details(_ source: SourceState) -> JSONLine {
    JSONLine([
      "uri": source.uri, "name": source.name, "state": source.state.rawValue, "reason": source.reason,
      "remedy": source.remedy,
    ])
  }

  static let (yes, no) = ("ON", "OFF")
  private static func word(_ isTrue: Bool) -> String { isTrue ? yes : no }
}
