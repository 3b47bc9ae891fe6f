import Accelerometry
import ArgumentParser
import JSONLines
import LiveSources
import Platform
import Presentation
import Recordings
import Terminals

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describe recordings", usage: "pedometer info [<options>] [<sources> ...]",
    discussion: """
      Reads each recording to its end and prints the device, format and range, the sampling frequency (stated and \
      measured), the time span with its gaps, the wear time (van Hees et al. 2013) if there is an hour and more, and any damage.

      EXAMPLES
        pedometer info week.cwa
        pedometer info --format json --anonymise *.gt3x
      """)

  @Argument(help: "Recordings, or - for standard input (default).", completion: .file())
  var sources: [String] = []

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Flag(help: "Write a hash instead of the device's serial number.")
  var anonymise = false

  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  func validate() throws { for source in sources { _ = try RecordingFile(source) } }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    let options = try reading.recordingOptions()
    var failures: [ExitStatus] = []
    var isFirst = true
    for name in sources.isEmpty ? ["-"] : sources {
      do {
        let progress = ProgressLine()
        defer { progress.clear() }
        let report = try RecordingReport(
          name, try RecordingFile(name).reader(options), anonymise: anonymise, progress: progress)
        progress.clear()
        switch format {
        case .text: try StandardOutput.write(ScreenText.printableLines(report.text))
        case .json: try StandardOutput.write(report.members.line)
        case .csv:
          let heading = isFirst ? CSV.row(RecordingReport.columns) : ""
          try StandardOutput.write(heading + report.members.row(RecordingReport.columns))
        }
        isFirst = false
        if let refusal = report.refusal, refusal.code != .constant { throw refusal }
      } catch let error where !(error is StandardOutput.Closed) {
        let failure = SourceFailure(error)
        complain("\(failure.message)")
        failures.append(failure.status)
      }
    }
    if let worst = ExitStatus.worst(of: failures) { throw worst.exitCode }
  }
}
