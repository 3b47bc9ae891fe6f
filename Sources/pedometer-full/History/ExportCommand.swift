import ArgumentParser
import Foundation
import History
import LiveSources
import PedometerCommands
import Presentation

/// `pedometer export`: every recorded minute.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export every recorded minute of each source",
    usage: "pedometer export [<options>]",
    discussion: """
      Writes one line for each source and minute with steps, in order of time, without merging. If two sensors counted \
      the same walk, there are two lines; 'pedometer history' uses the one with more steps.

      EXAMPLES
        pedometer export > walked.csv
        pedometer export --from 2026-01-01 --format json | gzip > 2026.jsonl.gz

      EXIT CODES
        0  written                      64 usage error
        65 the history is damaged       66 no history recorded yet
        74 read error                   77 permission denied
      """)

  @Option(help: "Skip earlier minutes: an ISO 8601 date or time.")
  var from: String?
  @Option(help: "Skip later minutes.")
  var to: String?
  @OptionGroup var place: HistoryPlace
  @Option(help: "csv or json (JSON Lines).")
  var format = Format.csv

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, json
  }

  /// The size of a write in bytes.
  private static let piece = 65_536

  func validate() throws { _ = try period() }

  func run() throws {
    try HistoryPlace.reporting {
      let calendar = try place.calendar()
      let period = try period()
      let reader = try HistoryReader(folder: place.folder)
      var text = format == .csv ? HistoryLines.minuteHeading : ""
      try reader.minutes(from: period.start, to: period.end) { minute in
        text += format == .csv ? HistoryLines.csv(minute, calendar) : HistoryLines.json(minute, calendar)
        guard text.utf8.count >= Self.piece else { return }
        try StandardOutput.write(text)
        text = ""
      }
      try StandardOutput.write(text)
    }
  }

  private func period() throws -> DateInterval {
    try place.period(from: from, to: to, place.calendar(), otherwise: (.distantPast, .distantFuture))
  }
}
