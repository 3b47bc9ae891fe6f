import ArgumentParser
import Foundation
import History
import HistoryImport
import JSONLines
import LiveSources
import PedometerCommands
import Pedometry
import Platform
import Terminals

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add steps that other programs recorded to the history",
    usage: "pedometer import [--dry-run] [<options>] <file> ...",
    discussion: """
      Reads 'pedometer export' (CSV or JSON Lines), Apple Health (export.xml), the databases that Gadgetbridge, Health \
      Connect and SecUSo's Pedometer export, Fitbit (steps-DATE.json, or steps_DATE.csv of Google Takeout), Google Takeout \
      (Fit: All Data, step_count.delta as JSON, and Daily activity metrics), Samsung Health (step_daily_trend as CSV), the \
      files of a Garmin watch's folder GARMIN/MONITOR, Garmin Connect's Steps.csv, and lists of days (CSV with date and \
      steps, as of stepsy); also the folder of an account, or zipped or otherwise packed, as Apple Health's export.zip. Each \
      device is a source in the history. Steps of a period that was counted here are not added again, and a file can be \
      imported repeatedly. Give files of the same days at once: the times of the finest ones count then. If an earlier \
      import had only totals of hours or days, later files add what exceeds these, with a message.

      The times of Fitbit's JSON may be in UTC or local. The hours of sleep in the account show which; without them, give \
      --time-zone UTC, or the zone of the walks. Of Garmin Connect, weeks and months are not read, of Samsung Health nothing \
      within a day, of Gadgetbridge no totals (Garmin, Huawei), and of all of them no heart rates, floors or tracks. Polar, \
      Withings, Xiaomi, Huawei and Strava are read as lists of days only.

      If pedometerd is writing the history, the import goes through it (PEDOMETER_SERVICE, PEDOMETER_TOKEN).

      EXAMPLES
        pedometer import --dry-run export.zip
        pedometer import export.xml Gadgetbridge.db
        pedometer import Takeout/Fitbit
        pedometer import --time-zone UTC steps-2021-*.json
      """)

  @Argument(help: ArgumentHelp("Files or folders of other programs.", valueName: "file"), completion: .file())
  var files: [String]
  @Flag(name: .customLong("dry-run"), help: "Show what would be added, and change nothing.")
  var isDryRun = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Step length in metres, for files without distances.", valueName: "metres"))
  var stepLength: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time zone of times without an offset, such as UTC or Europe/Berlin. (default: this computer's)",
      valueName: "name"))
  var timeZone: String?
  @Option(
    help: ArgumentHelp(
      "Folder of the history. (default: $XDG_STATE_HOME/pedometer or ~/.local/state/pedometer)", valueName: "folder"),
    completion: .directory)
  var state: String?
  @Option(help: "text or json (JSON Lines).")
  var format = TextOrJSON.text

  func validate() throws {
    if files.isEmpty { throw ValidationError("missing file; give one, such as export.xml") }
    if let stepLength, !(0.1...3).contains(stepLength) {
      throw ValidationError("--step-length \(stepLength) is out of range; give 0.1 to 3 metres, such as 0.72")
    }
    _ = try timeZone.map { try HistoryPlace.zone($0) }
  }

  func run() throws {
    try HistoryPlace.reporting {
      do {
        let zone = try timeZone.map { try HistoryPlace.zone($0) }
        let (now, calendar) = (Date(), DayCalendar(timeZone: zone ?? HistoryPlace.machineZone))
        // Everything is read before anything is written.
        let contents = try ImportFile.read(files, now: now, calendar: calendar, zone: zone)
        let folder = state.map { HistoryFolder(path: $0) } ?? .standard
        let target = isDryRun ? ImportTarget.nowhere : try ImportTarget(folder)
        defer {
          target.close()
          for damage in target.damages { complain("\(damage.text)") }
        }
        try add(contents, calendar, to: folder, target)
        // Everything was refused, or the history has lost something.
        if contents.contains(where: { $0.refused > 0 && $0.periods.isEmpty && $0.minutes.isEmpty })
          || target.damages.contains(where: { !$0.losses.isEmpty })
        {
          throw ExitStatus.badData.exitCode
        }
      } catch let failure as ImportFailure {
        complain("\(failure)")
        switch failure.code {
        case .missing: throw ExitStatus.noInput.exitCode
        case .unreadable: throw ExitStatus.permission.exitCode
        case .damaged: throw ExitStatus.badData.exitCode
        }
      }
    }
  }

  /// All files are planned together, so that a walk that several of them have counts once in whatever order they are.
  private func add(
    _ contents: [ImportedFile], _ calendar: DayCalendar, to folder: HistoryFolder, _ target: ImportTarget
  ) throws {
    let stepLength = stepLength.map { StepLengthModel.fixed($0) } ?? .walkRatio()
    let results = Dictionary(
      grouping: try ImportPlan.results(of: contents, in: folder, stepLength: stepLength, calendar: calendar),
      by: \.file)
    for (index, (path, content)) in zip(files, contents).enumerated() {
      let results = results[index] ?? []
      for result in results {
        let line = line(result, minutes: try target.raise(result.minutes), path)
        try format == .json ? StandardOutput.write(line) : StandardOutput.write(lines: line)
      }
      if results.isEmpty { complain("\(path): no steps found") }
      for notice in content.notices + results.flatMap(\.notices) + [content.refusal].compactMap({ $0 }) {
        complain("\(path): \(notice)")
      }
    }
  }

  private func line(_ result: ImportPlan.Result, minutes: Int, _ path: String) -> String {
    if format == .json {
      return JSONLine([
        "file": path, "source": result.source.identity, "name": result.source.name, "steps": result.steps,
        "newSteps": result.new, "minutes": minutes, "dryRun": isDryRun,
      ]).line
    }
    let verb = isDryRun ? "would add" : "added"
    let time = "\(minutes) minute\(minutes == 1 ? "" : "s")"
    return "\(result.source.name): \(verb) \(result.new) of \(result.steps) steps, in \(time)\n"
  }
}
