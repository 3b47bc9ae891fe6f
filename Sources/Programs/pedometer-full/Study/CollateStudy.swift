import ArgumentParser
import Foundation
import LiveSources
import PedometerCommands
import Studies
import Terminals

struct CollateStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collate",
    abstract: "Combine all results in tables",
    usage: "pedometer study collate <sources> ... --output <output> [<options>]",
    discussion: """
      Writes participants.csv (one line per recording), days.csv (one line per day) and missing.csv, a manifest of the \
      recordings that have no result yet, into the output folder. The tables do not depend on how the work was divided.
      """)

  @OptionGroup var place: StudyPlace

  @Option(help: ArgumentHelp("Write a report about the study (HTML).", valueName: "file"), completion: .file())
  var report: String?

  /// Recordings whose warnings are printed; all are in the tables and the report.
  private static let mostWarnings = 20

  @Option(help: "The report's heading.")
  var title = "Step counts of a study"

  func run() throws {
    let manifest = try StudySources.manifest(place.sources, output: place.output)
    let collation = Collation(manifest, in: StudyFolder(place.output))
    do {
      try collation.write()
      if let report { try StudyReport(collation, title: title).write(to: report) }
    } catch { throw ExitStatus.io.failure("cannot write \(error)") }
    let (failures, missing) = (collation.failures.count, collation.missing.count)
    let count = collation.doubtful.count
    let warned = count > 0 ? ", \(count) of them with warnings" : ""
    try StandardOutput.write(
      "\(collation.results.count) of \(manifest.entries.count) recordings have results\(warned); "
        + "\(failures) failed, \(missing) missing\n")
    for (entry, record) in collation.failures {
      let message = record.message ?? "failed"
      let title = message.hasPrefix(entry.name) ? "" : "\(entry.id): "
      complain("\(title)\(message) (\(record.exitCode))")
    }
    let doubtful = collation.doubtful
    for (entry, warnings) in doubtful.prefix(Self.mostWarnings) {
      complain("\(entry.id): \(warnings.joined(separator: "; "))")
    }
    if doubtful.count > Self.mostWarnings {
      complain(
        "\(doubtful.count - Self.mostWarnings) more recordings have warnings; see \(place.output)/participants.csv"
      )
    }
    if collation.isMixed {
      complain("the results come from several versions or parameters; run the study again with one of each")
    }
    guard missing == 0 else {
      throw ExitStatus.busy.failure(
        "\(missing) missing; analyse them with: pedometer study \(place.output)/missing.csv -o \(place.output)")
    }
  }
}

struct DescribeStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "methods",
    abstract: "Print a paragraph for the methods section of a paper",
    discussion: "Recordings that are not analysed yet are not counted.")

  @Argument(help: "The folder of the results.", completion: .directory)
  var results: String

  func run() throws {
    guard let text = MethodsText.paragraph(Collation(allIn: StudyFolder(results))) else {
      throw ExitStatus.badData.failure(
        "\(results) holds no results; give the folder that was --output of 'pedometer study'")
    }
    try StandardOutput.write(text)
  }
}
