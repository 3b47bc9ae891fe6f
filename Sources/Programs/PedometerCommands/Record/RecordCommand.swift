import ArgumentParser
import JSONLines
import LinuxSensors
import LiveSources
import Recordings
import SourceNames
import Terminals

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the raw samples of a sensor",
    usage: "pedometer record [<options>] --output <output> [<source>]",
    discussion: """
      Writes every sample in g with its time, after comments that describe the sensor and how it was read. \
      'pedometer count FILE' then finds the same steps as 'pedometer live'. The file is walk.part.csv until it is complete: \
      after --duration, or at SIGINT, SIGTERM or SIGHUP. If the source fails, the disk is full, or the process is killed, it \
      stays. A name that ends in .jsonl gives JSON Lines, any other name CSV; one that ends in .gz is compressed.

      EXAMPLES
        pedometer record -o walk.csv.gz
      """)

  @Argument(
    help: "A sensor, synthetic:…, a recording or - for standard input. (default: the best sensor)",
    completion: .shellCommand(SourceCompletion.name))
  var source: String?

  @Option(name: [.customShort("o"), .long], help: "The file to write, or - for standard output.", completion: .file())
  var output: String

  @OptionGroup(title: "Reading a sensor") var sensor: SensorReadingOptions
  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  func validate() throws {
    let uri = try source.map(SourceArgument.parse)
    try sensor.validate(for: uri)
    try reading.validate(for: uri)
    switch uri {
    case .counter?, .bluetooth?:
      throw ValidationError("'\(source ?? "")' provides steps, not samples; record an accelerometer")
    default: break
    }
    if case .file(let path)? = uri, path == output {
      throw ValidationError("the source and --output are the same file, '\(path)'; give two different names")
    }
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    let uri = try source.map(SourceArgument.parse)
    let reading = try reading.recordingOptions()
    let (sensor, format) = (sensor, RecordingWriter.Format(ofFile: output))
    let destination: RecordingWriter.Destination = output == "-" ? .standardOutput : .file(path: output)
    LiveTask.run { stop in
      var sources = Sources(
        reading: reading, options: sensor.options, waits: sensor.wait, messages: Network.messages,
        remark: { complain("\($0)") })
      sources.takesCounters = false
      return await RecordRun(
        uri: uri, sources: sources, destination: destination, format: format, limit: sensor.limit, stop: stop
      ).run()
    }
  }
}
