import ArgumentParser
import Foundation
import History
import JSONLines
import LiveSources
import PedometerCommands
import Platform
import Presentation
import ServiceCore
import Terminals

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export every recorded minute of each source, or walks",
    usage: "pedometer export [<options>]",
    discussion: """
      Writes one line for each source and minute with steps, in order of time, without merging. If two sensors counted \
      the same walk, there are two lines; 'pedometer history' uses the one with more steps. If one sensor followed \
      another within a minute, a third line, from the source 'joint', has the steps of both.

      If there is no history that you may read, the minutes of all sensors together come from the running service.

      For sports programs it writes walks as Training Center XML, all in one document, or with -o one file for each into a \
      folder. TCX requires calories, which are unknown and written as 0. Imported totals of hours and days are not walks, \
      and are left out, with a message. What you said on the service's page counts: a run, a name, and what was no walk.

      EXAMPLES
        pedometer export > walked.csv
        pedometer export --format tcx -o walks --from 2026-05-06
      """)

  @Option(help: "Skip earlier minutes: an ISO 8601 date or time.")
  var from: String?
  @Option(help: "Skip later minutes.")
  var to: String?
  @OptionGroup var place: HistoryPlace
  @Option(help: "csv, json (JSON Lines) or tcx.")
  var format = Format.csv
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Folder for TCX files, one for each walk.", valueName: "folder"),
    completion: .directory)
  var output: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Longest rest within a walk. (default: 300)", valueName: "seconds"))
  var rest: Double?
  @Option(parsing: .unconditional, help: ArgumentHelp("Leave out shorter walks. (default: 600)", valueName: "seconds"))
  var shortest: Double?

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, json, tcx
    /// Recognised for their messages.
    case gpx, fit

    static var allValueStrings: [String] { ["csv", "json", "tcx"] }
  }

  /// The size of a write in bytes.
  private static let piece = 65_536

  func validate() throws {
    _ = try period()
    if format == .gpx {
      throw ValidationError("GPX needs positions, which a pedometer does not have; use --format tcx")
    }
    if format == .fit {
      throw ValidationError("FIT export was removed; use --format tcx, with -o FOLDER for one file per walk")
    }
    if format != .tcx, output != nil { throw ValidationError("-o is for TCX; redirect the output instead: > FILE") }
    if format != .tcx, rest != nil || shortest != nil {
      throw ValidationError("--rest and --shortest define walks; add --format tcx")
    }
    guard (rest ?? 0) >= 0, (shortest ?? 0) >= 0 else {
      throw ValidationError("--rest and --shortest are seconds, from 0")
    }
  }

  func run() throws {
    if format == .tcx { return try exportWalks() }
    try HistoryPlace.reporting {
      let calendar = try place.calendar()
      let period = try period()
      let (source, history) = try place.source(period)
      defer { history?.close() }
      if history == nil {
        complain("the history's folder cannot be read; the service provides the minutes of all sensors together")
      }
      var text = format == .csv ? CSV.row(HistoryLines.minuteColumns) : ""
      try source.minutes(from: period.start, to: period.end) { minute in
        let members = HistoryLines.members(minute, calendar)
        text += format == .csv ? members.row(HistoryLines.minuteColumns) : members.line
        guard text.utf8.count >= Self.piece else { return }
        try StandardOutput.write(text)
        text = ""
      }
      try StandardOutput.write(text)
      if let history { try place.reportLosses(of: history, always: true) }
    }
  }

  private func exportWalks() throws {
    try HistoryPlace.reporting {
      let period = try period()
      let history = try ReadableHistory(folder: place.folder, from: period.start, to: period.end)
      defer { history.close() }
      let answers = try WalkAnswers(folder: place.folder.path).all(from: period.start, to: period.end)
      let (walks, short, spread) = try WalkActivity.all(
        in: history.reader, from: period.start, to: period.end, rest: rest ?? 300, shortest: shortest ?? 600,
        answers: answers)
      if let output {
        try write(walks, to: output)
      } else {
        try StandardOutput.write(TCXFile.document(of: walks))
      }
      let steps = walks.reduce(0) { $0 + $1.steps }
      complain(
        "\(walks.count) walk\(walks.count == 1 ? "" : "s") with \(steps) step\(steps == 1 ? "" : "s")"
          + "; left out \(short.count) shorter one\(short.count == 1 ? "" : "s")"
          + " with \(short.steps) step\(short.steps == 1 ? "" : "s") (--shortest)")
      let none = answers.count { $0.isLeftOut }
      if none > 0 { complain("left out \(none == 1 ? "one" : "\(none)") that you said to be no walk") }
      if spread > 0 {
        complain("left out \(spread) steps of imported totals of hours or days, whose times are unknown")
      }
      try place.reportLosses(of: history, always: true)
    }
  }

  /// One file for each walk, named by its start in the time zone.
  private func write(_ walks: [WalkActivity], to folder: String) throws {
    let calendar = try place.calendar()
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for walk in walks {
        let name = Self.name(of: walk.start, calendar)
        let bytes = Array(TCXFile.document(of: [walk]).utf8)
        try FileReplacement.replace("\(folder)/\(name).tcx", with: bytes, permissions: 0o644)
      }
    } catch let failure as FileReplacement.Failure where isOutOfSpace(failure.errno) {
      throw SourceFailure(
        message: "cannot write to \(folder): \(systemText(failure.errno).lowercased()); free some space", status: .io)
    } catch {
      throw SourceFailure(
        message: "cannot write to \(folder); give a folder that you may write to", status: .cannotCreate)
    }
  }

  /// The local time; with its offset in the hour that occurs twice when the clocks go back.
  private static func name(of start: Date, _ calendar: DayCalendar) -> String {
    let text = calendar.civil(start).iso8601
    let local = text.prefix(19)
    let isTwice = [-3600.0, -1800, 1800, 3600].contains { calendar.civil(start + $0).iso8601.prefix(19) == local }
    return (isTwice ? text : String(local)).replacing(":", with: "-")
  }

  private func period() throws -> DateInterval {
    try place.period(from: from, to: to, place.calendar(), otherwise: (.distantPast, .distantFuture))
  }
}
