import Accelerometry
import ArgumentParser
import Counting
import JSONLines
import LiveSources
import Platform
import Presentation
import Recordings
import StepDetection
import Terminals

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Find your step length from a walk over a known distance",
    usage: "pedometer calibrate <source> --distance <distance> [<options>]",
    discussion: """
      Counts the steps of a recorded walk over a distance that you know, and divides. Walk 200 m and more at your usual speed, \
      for which the step length holds, and give the result to --step-length.

      EXAMPLES
        pedometer calibrate walk.csv --distance 400
        pedometer record -o - | pedometer calibrate - --distance 400
      """)

  @Argument(help: "A recording of the walk, or - for standard input.", completion: .file())
  var source: String

  @Option(parsing: .unconditional, help: "The distance in metres.")
  var distance: Double

  @Option(help: "text or json.")
  var format = TextOrJSON.text

  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  func validate() throws {
    _ = try RecordingFile(source)
    guard distance >= 10, distance <= 100_000 else {
      throw ValidationError("--distance takes metres, 10 to 100000, such as --distance 400")
    }
  }

  func run() throws {
    let reading = try reading.recordingOptions()
    try Commands.reporting {
      let file = try RecordingFile(source)
      let reader = try file.reader(reading)
      var options = CountingOptions(latency: StepDetector.longestRevision, slice: nil)
      options.stated = reading.samplingFrequency
      var counting = SampleCounting(options)
      var samples: [AccelerationSample] = []
      while try counting.read({ try reader.read(into: &samples) }) { counting.count(samples.span) }
      counting.finish()
      counting.take(reader.summary.verdict(of: file.title))
      let walk = counting.summary
      if let refusal = walk.refusal { throw refusal }
      for doubt in walk.warnings { complain("\(file.title): \(CommandTerms.translate(doubt))") }
      if let damage = counting.damage { throw damage }
      try tell(walk.totals.steps, file.title)
    }
  }

  private func tell(_ steps: Int, _ name: String) throws {
    let length = steps > 0 ? distance / Double(steps) : .infinity
    let metres = Decimals.text(length, 3) ?? "?"
    guard (0.2...2.5).contains(length) else {
      let found = steps == 0 ? "no steps were found" : "\(steps) steps were found, so a step would be \(metres) m"
      throw ExitStatus.badData.failure(
        "\(name): \(found); check --distance, and that the recording has the whole walk and nothing else")
    }
    switch format {
    case .json:
      let line = JSONLine(["steps": steps, "distance": distance.decimals(2), "stepLength": length.decimals(4)])
      try StandardOutput.write(line.line)
    case .text:
      try StandardOutput.write(
        "\(steps) steps over \(Decimals.text(distance, 1) ?? "?") m: your step is \(metres) m. Use it with --step-length \(metres)\n"
      )
    }
  }
}
