import Accelerometry
import ArgumentParser
import Glibc
import LinuxSensors
import LiveSources
import Pedometry
import Recordings

/// `pedometer live`: count as somebody walks.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Count the steps of a sensor while somebody walks",
    discussion: """
      In a terminal one line shows steps, distance and cadence; elsewhere, and with --format json or csv, there is a line \
      for each step, event and change. A step is certain at most six seconds after it was made; --provisional tells of it \
      at once. A sensor that is unplugged is waited for, and counting goes on when it is back.

      SOURCES
        iio:device0, evdev:/dev/input/event5, counter:device0
                                 a sensor, as 'pedometer devices' lists them
        walk.csv, file:walk.csv  a recording, at the pace at which it was walked
        -                        a recording on standard input, as it comes
        synthetic:cadence=110    a made-up walk
        none given               the best sensor

      EXAMPLES
        pedometer live
        pedometer live iio:device0 --format json
        pedometer live --wait --thrifty --format json >> today.jsonl
        pedometer live synthetic:cadence=110,duration=20 --provisional

      A sensor that a running pedometerd holds is counted by asking it: PEDOMETER_SERVICE is its address (http://127.0.0.1:8080 \
      unless given; off: never), PEDOMETER_TOKEN its token.

      EXIT CODES
        0  ended by its source, by --duration, SIGINT or SIGTERM
        64 usage             65 no recording in it    66 no such file
        69 no sensor         74 reading failed        75 the sensor is busy
        76 it speaks nonsense or not at all           77 not permitted
      """)

  @Argument(help: "A sensor, a recording, synthetic:… or - for standard input. (default: the best sensor)")
  var source: String?

  @OptionGroup(title: "What is printed") var output: LiveOutputOptions
  @OptionGroup(title: "How a sensor is read") var sensor: SensorReadingOptions
  @OptionGroup(title: "How recordings are read") var reading: ReadingOptions
  @OptionGroup(title: "The walker") var walker: WalkerOptions

  func validate() throws {
    _ = try reading.recordingOptions()
    _ = try walker.stepLengthModel()
    try output.validateInterval()
    try sensor.validate(for: try LiveSource.parse(source))
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    let uri = try LiveSource.parse(source)
    let stepLength = try walker.stepLengthModel()
    let reading = try reading.recordingOptions()
    let (output, sensor) = (output, sensor)
    let reporter = LiveReporter(
      LiveReporter.Style(
        format: output.format, interval: output.interval.map { .seconds($0) }, isTerminal: isatty(1) == 1))
    LiveTask.run { stop in
      var opener = LiveOpener(
        reading: reading, options: sensor.options,
        finder: SensorFinder(use: sensor.options.use, waits: sensor.wait, remark: reporter.complain))
      opener.service = Network.service
      return await LiveRun(
        uri: uri, opener: opener, stepLength: stepLength, limit: sensor.limit, isProvisional: output.provisional,
        reporter: reporter, stop: stop
      ).run()
    }
  }
}

/// What is asked for, and how it is to look.
struct LiveOutputOptions: ParsableArguments {
  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Option(help: "Seconds between two lines of totals. (default: each second in which something changed)")
  var interval: Double?

  @Flag(help: "Tell of a step at once, and later whether it was one.")
  var provisional = false

  func validateInterval() throws {
    if let interval, !(interval >= 0.01 && interval <= 1e6) {
      throw ValidationError("--interval takes seconds, from 0.01 to 1e6, as --interval 5")
    }
  }
}

/// How long and how a sensor is read.
struct SensorReadingOptions: ParsableArguments {
  @Option(help: "End after so many seconds; the wait for a sensor does not count.")
  var duration: Double?

  @Flag(help: "Wait for the sensor to be plugged in.")
  var wait = false

  @Flag(help: "For all day: read every two seconds, not twenty times a second.")
  var thrifty = false

  /// How a sensor is to be read.
  var options: SensorOptions { SensorOptions(use: thrifty ? .thrifty : .lively) }

  /// How long.
  var limit: LiveDuration { LiveDuration(duration: duration.map { .seconds($0) }) }

  func validate(for uri: SourceURI?) throws {
    if let duration, !(duration > 0 && duration <= 1e9) {
      throw ValidationError("--duration takes seconds, above 0 and up to 1e9, as --duration 60")
    }
    if let uri, !uri.isSensor, wait {
      throw ValidationError("'\(uri)' is no sensor to wait for; leave out --wait")
    }
  }
}

/// The source that a live command was given.
enum LiveSource {
  /// Reads its name.
  static func parse(_ text: String?) throws -> SourceURI? {
    guard let text else { return nil }
    do {
      let uri = try SourceURI(parsing: text)
      if case .synthetic(let settings) = uri { _ = try SyntheticWalk(settings: settings).reader() }
      return uri
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
