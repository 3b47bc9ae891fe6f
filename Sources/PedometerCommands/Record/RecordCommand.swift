import Accelerometry
import ArgumentParser
import JSONLines
import LinuxSensors
import LiveSources
import Recordings

/// `pedometer record`: records raw samples.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the raw samples of a sensor",
    usage: "pedometer record [<options>] --output <output> [<source>]",
    discussion: """
      Writes every sample in g with its time, after comments that describe the sensor and how it was read. \
      'pedometer count FILE' then finds the same steps as 'pedometer live'. The file appears under its name when it is \
      complete: after --duration, or at SIGINT or SIGTERM. If the source fails, an existing file is kept, and the samples \
      so far are saved next to it, as walk.part.csv. A name that ends in .jsonl gives JSON Lines, any other name CSV; one \
      that ends in .gz is compressed.

      EXAMPLES
        pedometer record -o walk.csv.gz
        pedometer record iio:device0 -o walk.csv --duration 60
        pedometer record evdev:/dev/input/event5 -o - | pedometer count --steps -

      EXIT CODES
        0  recorded
        64 usage error             65 no samples in it
        66 no such file            69 no sensor
        73 cannot create the file  74 read or write error
        75 sensor is busy          76 invalid data from the sensor
        77 permission denied
      """)

  @Argument(help: "A sensor, synthetic:…, a recording or - for standard input. (default: the best sensor)")
  var source: String?

  @Option(name: [.customShort("o"), .long], help: "The file to write, or - for standard output.")
  var output: String

  @OptionGroup(title: "Reading a sensor") var sensor: SensorReadingOptions
  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  func validate() throws {
    _ = try reading.recordingOptions()
    let uri = try LiveSource.parse(source)
    try sensor.validate(for: uri)
    let isCounter =
      switch uri {
      case .counter?: true
      case .bluetooth(let address)?: !address.wantsMotion
      default: false
      }
    if isCounter {
      throw ValidationError("'\(source ?? "")' provides steps, not samples; record an accelerometer")
    }
    if case .file(let path)? = uri, path == output {
      throw ValidationError("the source and --output are the same file, '\(path)'; give two different names")
    }
  }

  private var format: RecordingWriter.Format {
    let name = output.hasSuffix(".gz") ? String(output.dropLast(3)) : output
    return name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") ? .jsonLines : .csv
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    let uri = try LiveSource.parse(source)
    let reading = try reading.recordingOptions()
    let (sensor, format) = (sensor, format)
    let destination: RecordingWriter.Destination = output == "-" ? .standardOutput : .file(path: output)
    LiveTask.run { stop in
      let opener = LiveOpener(
        reading: reading, options: sensor.options,
        finder: SensorFinder(
          use: sensor.options.use, waits: sensor.wait, takesCounters: false,
          remark: { StandardOutput.complain("pedometer: \($0)") }))
      return await RecordRun(
        uri: uri, opener: opener, destination: destination, format: format, limit: sensor.limit, stop: stop
      ).run()
    }
  }
}
