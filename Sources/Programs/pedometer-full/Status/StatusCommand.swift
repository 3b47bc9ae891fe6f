import ArgumentParser
import Foundation
import History
import JSONLines
import LiveSources
import PedometerCommands
import Platform
import Terminals

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show today's steps in one line, for a status bar",
    usage: "pedometer status [--format <format>] [<options>]",
    discussion: """
      Asks a running service (PEDOMETER_SERVICE, PEDOMETER_TOKEN); if there is none, it reads the history.

      EXAMPLES
        pedometer status
        # ~/.config/waybar/config
        "custom/steps": {"exec": "pedometer status --format waybar",
                         "return-type": "json", "interval": 30}
        ; ~/.config/polybar/config.ini
        exec = pedometer status --format polybar
      """)

  @Option(help: "text, json, waybar or polybar.")
  var format = Format.text
  @OptionGroup var place: HistoryPlace

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, waybar, polybar
  }

  func validate() throws { _ = try place.calendar() }

  func run() throws {
    try HistoryPlace.reporting {
      try StandardOutput.write(try status().line(format) + "\n")
    }
  }

  private func status() throws -> DayStatus {
    // A folder that is given is not the service's.
    if place.state == nil, let service = try ServiceHistory.running() {
      let hasCalendar = place.timeZone != nil || place.dayStart != nil
      // A service of another user may require a token; this user's history does not.
      do {
        return try service.status(hasCalendar ? place.calendar() : nil)
      } catch let failure as SourceFailure where !service.address.isNamed {
        guard let own = try? ownStatus() else { throw failure }
        return own
      }
    }
    return try ownStatus()
  }

  private func ownStatus() throws -> DayStatus {
    let calendar = try place.calendar()
    let day = calendar.day(containing: Date())
    let totals = try HistoryReader(folder: place.folder).totals(from: day.start, to: day.end)
    return DayStatus(
      date: calendar.civil(day.start).date, steps: totals.steps, distanceTravelled: totals.distanceTravelled,
      activeTime: totals.activeTime / .seconds(1))
  }
}

/// The figures of a day, and whether they grow.
struct DayStatus: Hashable {
  var date: String
  var steps: Int
  var distanceTravelled: Double
  /// Seconds.
  var activeTime: Double
  /// `nil` without a goal, and without a service.
  var goal: Int?
  var isFromService = false
  /// Whether a source counts; `nil` without a service, and for a walker, who does not learn it.
  var isCounting: Bool?
  var reason: String?

  /// The part of the goal in per cent, rounded down: 100 means that it is reached.
  var percentage: Int? { goal.map { min(steps, 1_000_000) * 100 / max(1, $0) } }

  func line(_ format: StatusCommand.Format) -> String {
    switch format {
    case .text: [summary, warning].compactMap { $0 }.joined(separator: "; ")
    // A per cent sign begins a tag.
    case .polybar: (isCounting == false ? "\(steps) !" : "\(steps)").replacing("%", with: "%%")
    case .waybar: waybar
    case .json: json
    }
  }

  private var summary: String {
    var text = "\(steps) \(steps == 1 ? "step" : "steps"), \(Decimals.distance(distanceTravelled)) today"
    if let goal, let percentage { text += ", \(percentage) % of \(goal)" }
    return text
  }

  private var warning: String? { isCounting == false ? "not counting" + (reason.map { ": \($0)" } ?? "") : nil }

  private var waybar: String {
    var line = JSONLine(["text": "\(steps)"])
    let walking = Duration(stated: activeTime).map { "\(Decimals.duration($0)) of walking" }
    let tooltip = [summary, walking, warning].compactMap { $0 }
    // Waybar reads tooltips as Pango markup.
    let markup = tooltip.joined(separator: "\n").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    line.add("tooltip", markup)
    // Without a service nothing counts.
    let isStopped = isCounting == false || !isFromService
    line.add("class", isStopped ? "stopped" : percentage.map { $0 >= 100 } == true ? "reached" : "walking")
    if let percentage { line.add("percentage", min(100, percentage)) }
    return line.object
  }

  private var json: String {
    JSONLine([
      "date": date, "steps": steps, "distanceTravelled": distanceTravelled.decimals(2),
      "activeTime": activeTime.decimals(3), "goal": goal, "from": isFromService ? "service" : "history",
      "counting": isCounting, "reason": reason,
    ]).object
  }
}
