import ArgumentParser
import Foundation
import LiveSources
import PedometerCommands
import Studies

/// `pedometer study collate`: one table of all.
struct CollateStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collate",
    abstract: "Make one table of all results",
    usage: "pedometer study collate <sources> ... --output <output> [<options>]",
    discussion: """
      Writes participants.csv (one line a recording), days.csv (one line a day) and missing.csv, a manifest of the \
      recordings that have no result yet, into the output folder. The tables are the same however the work was divided.

      EXIT CODES
        0  every recording has a result or a recorded failure
        65 the manifest is not valid      74 cannot write
        75 recordings are missing; analyse missing.csv and collate again
      """)

  @OptionGroup var place: StudyPlace

  @Option(help: ArgumentHelp("Write a page about the study (HTML).", valueName: "file"))
  var report: String?

  @Option(help: "The report's heading.")
  var title = "Step counts of a study"

  func run() throws {
    let manifest = try StudySources.manifest(place.sources)
    let collation = Collation(manifest, in: StudyFolder(place.output))
    do {
      try collation.write()
      if let report { try StudyReport(collation, title: title).write(to: report) }
    } catch {
      StandardOutput.complain("pedometer: cannot write \(error)")
      throw ExitStatus.io.exitCode
    }
    let (failures, missing) = (collation.failures.count, collation.missing.count)
    try StandardOutput.write(
      "\(collation.results.count) of \(manifest.entries.count) recordings have results; \(failures) failed, \(missing) missing\n"
    )
    for (entry, record) in collation.failures {
      let message = record.message ?? "failed"
      let title = message.hasPrefix(entry.path) ? "" : "\(entry.id): "
      StandardOutput.complain("pedometer: \(title)\(message) (\(record.exitCode))")
    }
    if collation.isMixed {
      StandardOutput.complain(
        "pedometer: the results come from several versions or parameters; run the study again to make them alike")
    }
    guard missing == 0 else {
      StandardOutput.complain(
        "pedometer: \(missing) missing; analyse them with: pedometer study \(place.output)/missing.csv -o \(place.output)"
      )
      throw ExitStatus.busy.exitCode
    }
  }
}

/// `pedometer study methods`: the paragraph for a paper.
struct DescribeStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "methods",
    abstract: "Print a paragraph for the methods section of a paper",
    discussion: """
      EXIT CODES
        0  printed
        65 the manifest is not valid, or nothing has a result
      """)

  @OptionGroup var place: StudyPlace

  func run() throws {
    let collation = Collation(try StudySources.manifest(place.sources), in: StudyFolder(place.output))
    guard let text = MethodsText.paragraph(collation) else {
      StandardOutput.complain("pedometer: no recording of the manifest has a result in \(place.output)")
      throw ExitStatus.badData.exitCode
    }
    try StandardOutput.write(text)
  }
}
