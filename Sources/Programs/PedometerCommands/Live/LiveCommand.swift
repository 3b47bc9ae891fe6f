import ArgumentParser
import LinuxSensors
import LiveSources
import Pedometry
import Recordings
import SourceNames
import Terminals

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Count the steps of a sensor in real time",
    discussion: """
      In a terminal, a panel shows the sensor, the signal, steps, cadence and distance, and with 18 rows or more the goal, \
      the mean, the best minute, walks, floors, the steps of the last minutes, and why nothing is counted; in a window of \
      under 40 columns or 8 rows one line does. Otherwise, and with --format json or csv, each step, event and change is \
      printed on a line. A step is confirmed within six seconds; --provisional prints it at once. If the sensor is unplugged, \
      the command waits for it and continues when it is back.

      \(SourceHelp.live)
        walk.csv, file:walk.csv  a recording, played in real time
        -                        a recording on standard input, as it arrives
        synthetic:cadence=110    a synthetic walk, of a minute unless on a terminal
        (none)                   the best sensor, or else what a running pedometerd
                                 counts with, such as a phone

      EXAMPLES
        pedometer live
        pedometer live iio:device0 --format json
        pedometer live --wait --thrifty --format json >> today.jsonl
        pedometer live serial:/dev/ttyUSB0,baud=57600 --units raw=16384
        pedometer live phyphox:http://192.168.1.7:8080 --wait
        pedometer live --walk-test --step-length 0.71

      If pedometerd is already reading the sensor, its counts are used (PEDOMETER_SERVICE, PEDOMETER_TOKEN).
      """)

  @Argument(
    help: "A sensor, a recording, synthetic:… or - for standard input. (default: the best sensor)",
    completion: .shellCommand(SourceCompletion.name))
  var source: String?

  @OptionGroup(title: "Output") var output: LiveOutputOptions
  @OptionGroup(title: "Reading a sensor") var sensor: SensorReadingOptions
  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions
  @OptionGroup(title: "Walker") var walker: WalkerOptions
  @OptionGroup(title: "Walker") var recognition: RecognitionOptions

  func validate() throws {
    if output.walkTest, sensor.duration != nil || output.goal != nil {
      throw ValidationError("--walk-test lasts six minutes; leave out --duration and --goal")
    }
    let uri = try source.map(SourceArgument.parse)
    try sensor.validate(for: uri)
    try reading.validate(for: uri)
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    let uri = try source.map(SourceArgument.parse)
    let stepLength = try walker.stepLengthModel()
    let reading = try reading.recordingOptions()
    let (output, sensor) = (output, sensor)
    // Whoever times a walk of six minutes walks, unless a profile is to decide.
    let recognition = output.walkTest && recognition.profile == nil ? .known : try recognition.recognition()
    let reporter = LiveReporter(output)
    LiveTask.run(resumed: reporter.resume) { stop in
      var sources = Sources(
        reading: reading, options: sensor.options, waits: sensor.wait, messages: Network.messages,
        remark: reporter.complain)
      (sources.service, sources.isWatched) = (Network.service, reporter.isStatus)
      return await LiveRun(
        uri: uri, sources: sources, stepLength: stepLength, limit: sensor.limit, isProvisional: output.provisional,
        recognition: recognition, isWalkTest: output.walkTest, reporter: reporter, stop: stop
      ).run()
    }
  }
}

struct LiveOutputOptions: ParsableArguments {
  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Option(
    parsing: .unconditional, help: "Seconds between lines of totals. (default: every second in which a total changed)")
  var interval: Double?

  @Flag(help: "Print each step at once, and later whether it is confirmed or retracted.")
  var provisional = false

  @Option(parsing: .unconditional, help: "Steps to reach; a terminal of 18 rows or more shows how many are left.")
  var goal: Int?

  @Flag(help: "Time a six-minute walk from the first step, and print a page with its result.")
  var walkTest = false

  func validate() throws {
    if let goal, !(1...1_000_000).contains(goal) {
      throw ValidationError("--goal takes steps, from 1 to 1000000, such as --goal 8000")
    }
    if let interval, !(interval >= 0.01 && interval <= 1e6) {
      throw ValidationError("--interval takes seconds, from 0.01 to 1e6, such as --interval 5")
    }
  }
}

struct SensorReadingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Stop after this many seconds of a sensor; with --wait, also give up if none appears in that time.")
  var duration: Double?

  @Flag(help: "Wait for the sensor to be plugged in, and for another program to release it.")
  var wait = false

  @Flag(help: "Save power: read every two seconds instead of twenty times a second.")
  var thrifty = false

  var options: SensorOptions { SensorOptions(use: thrifty ? .thrifty : .lively) }

  var limit: LiveDuration { LiveDuration(duration: duration.map { .seconds($0) }) }

  func validate(for uri: SourceURI?) throws {
    if let duration, !(duration > 0 && duration <= 1e9) {
      throw ValidationError("--duration takes seconds, above 0 and up to 1e9, such as --duration 60")
    }
    if let uri, !uri.isSensor, wait { throw ValidationError("'\(uri)' is not a sensor; leave out --wait") }
  }
}

/// A source on the command line.
enum SourceArgument {
  /// - Throws: a `ValidationError`.
  static func parse(_ text: String) throws -> SourceURI {
    do {
      let uri = try SourceURI(parsing: text)
      if case .synthetic(let settings) = uri { _ = try SyntheticWalk(settings: settings).reader() }
      guard case .client = uri else { return uri }
    } catch { throw ValidationError(ScreenText.printable("\(error)", longest: 1000)) }
    throw ValidationError(
      "'\(ScreenText.printable(text))' is a client of pedometerd, which counts its steps; see the service's page")
  }
}
