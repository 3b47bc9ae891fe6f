import ArgumentParser
import IIOScans
import JSONLines
import LinuxSensors
import LiveSources
import Pedometry
import Platform
import Recordings
import SourceNames
import Terminals

struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count the steps in recordings",
    discussion: """
      A recording is text (CSV, JSON) with a time and three axes of acceleration in each line, or a file of an Axivity \
      (.cwa), ActiGraph (.gt3x), GENEActiv (.bin) or Matrix (.BIN) device. It can be a file or standard input, plain, \
      compressed, or in a zip or tar archive. Format, columns, units, time units and delimiters are detected from the \
      content; ambiguities produce a warning. A damaged recording is counted up to the damage, or around it.

      EXAMPLES
        pedometer count walk.csv
        pedometer count --format json recordings/*.csv.gz
        pedometer count --time-zone Europe/Berlin week.cwa
        sensor-logger | pedometer count --steps -
        pedometer count --epochs 60 --format csv day.csv > minutes.csv
        pedometer count --rate 50 --units mg --columns ax,ay,az raw.txt
        pedometer count --explain walk.csv
        pedometer count --gait --step-length 0.71 walk.csv
        pedometer count --walking treadmill.csv

      The manual page says what --explain, --gait and --plot show, and what --walking and --profile are for.
      If several sources fail, the most severe exit code wins: 74, then 77, 66, 65.
      """)

  @Argument(help: "Recordings, synthetic:… or - for standard input (default).", completion: .file())
  var sources: [String] = []

  @OptionGroup(title: "Output") var output: CountOutputOptions
  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions
  @OptionGroup(title: "Walker") var walker: WalkerOptions
  @OptionGroup(title: "Walker") var recognition: RecognitionOptions

  @Option(
    name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
    help: "How many recordings to count in parallel. (default: number of cores)")
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number of at least 1") }
    if sources.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input can be counted only once; give one -")
    }
    _ = try parsedSources()
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    var reading = try reading.recordingOptions()
    reading.zone = try output.zone()
    var found: [(name: String, uri: SourceURI, entry: String?)] = []
    for (name, uri) in zip(sources.isEmpty ? ["-"] : sources, try parsedSources()) {
      let entries = Self.entries(uri, reading)
      if entries.isEmpty { found.append((name, uri, nil)) }
      for entry in entries { found.append(("\(name):\(entry)", uri, entry)) }
    }
    let plan = CountPlan(
      output, reading: reading, stepLength: try walker.stepLengthModel(), recognition: try recognition.recognition(),
      names: found.map(\.name))
    let pictures = output.plot.map { CountOutputOptions.pictures($0, found.count) }
    let jobs = found.enumerated().map { index, found in
      CountJob(name: found.name, uri: found.uri, entry: found.entry, plan: plan, plot: pictures?[index])
    }
    if found.contains(where: { $0.uri == .standardInput }), StandardInput.isTerminal {
      remark("waiting for a recording on standard input; end it with Ctrl-D, or name a file: pedometer count walk.csv")
    }
    let failures = try CountRun(jobs: jobs, plan: plan, workers: self.jobs).run()
    if let worst = ExitStatus.worst(of: failures) { throw worst.exitCode }
  }

  /// The recordings in an archive with several; if it cannot be read, the error is reported when it is counted.
  private static func entries(_ uri: SourceURI, _ options: RecordingOptions) -> [String] {
    guard case .file(let path) = uri, options.entry == nil else { return [] }
    return (try? RecordingReader.recordings(inArchive: path, options: options)) ?? []
  }

  private func parsedSources() throws -> [SourceURI] {
    try (sources.isEmpty ? ["-"] : sources).map { name in
      let uri = try SourceArgument.parse(name)
      guard uri.isSensor else { return uri }
      let shown = ScreenText.printable(name)
      throw ValidationError(
        "'\(shown)' is a sensor, and count reads recordings; watch it with: pedometer live \(shown)")
    }
  }
}

struct CountOutputOptions: ParsableArguments {
  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Flag(help: "Print the time of each step, in seconds from the first sample, as soon as it is confirmed.")
  var steps = false

  @Option(parsing: .unconditional, help: "Print steps, distance and cadence for each interval of this many seconds.")
  var epochs: Double?

  @Flag(help: "List each bout with its confidence, and the reason why other movement was not counted.")
  var explain = false

  @Flag(
    help: "Measure the gait of each bout: step and stride times, variability, symmetry. With --steps: exact step times."
  )
  var gait = false

  @Option(
    help: ArgumentHelp(
      "Draw signal, bouts, steps and reasons (SVG); several recordings are numbered.", valueName: "file"),
    completion: .file())
  var plot: String?

  @Flag(help: "Treat warnings about a recording as errors (exit code 65).")
  var strict = false

  @Flag(help: "Show times of day with --steps and --epochs in text and CSV; JSON always includes them.")
  var clock = false

  @Option(parsing: .unconditional, help: "Time zone of clock times without one, such as Europe/Berlin or +02:00.")
  var timeZone: String?

  func zone() throws -> RecordingZone? {
    guard let timeZone else { return nil }
    guard let zone = ZoneClock(timeZone) else {
      throw ValidationError("--time-zone '\(ScreenText.printable(timeZone))' \(ZoneClock.refusal)")
    }
    return zone.zone
  }

  /// The names of several pictures: `walk.svg` becomes `walk-1.svg`, `walk-2.svg`, with as many digits as the last one
  /// needs, so that they sort.
  static func pictures(_ path: String, _ count: Int) -> [String] {
    if count < 2 { return [path] }
    let digits = String(count).count
    return (1...count).map { "\(path.dropLast(4))-\($0.padded(digits))\(path.suffix(4))" }
  }

  var mode: CountPlan.Mode {
    if explain { return .explanation }
    if steps { return .steps }
    if gait { return .gait }
    return epochs.map { .epochs(.nanoseconds(Int64(($0 * 1e9).rounded()))) } ?? .totals
  }

  func validate() throws {
    _ = try zone()
    // A shell expands --plot *.csv, and the first recording must not be overwritten.
    if let plot, !plot.lowercased().hasSuffix(".svg") {
      throw ValidationError(
        "--plot writes an SVG picture; give a name that ends in .svg, not '\(ScreenText.printable(plot))'")
    }
    if steps, epochs != nil { throw ValidationError("--steps and --epochs exclude each other; give one") }
    if explain, steps || epochs != nil {
      throw ValidationError("--explain cannot be combined with --steps or --epochs")
    }
    if gait, explain || epochs != nil { throw ValidationError("--gait cannot be combined with --explain or --epochs") }
    if let epochs, !(epochs >= 1 && epochs <= 1e9) {
      throw ValidationError("--epochs takes seconds, from 1 to 1e9, such as --epochs 60")
    }
  }
}

package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, csv
}

package enum TextOrJSON: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// The user's settings for recordings.
package struct ReadingOptions: ParsableArguments {
  package init() {}

  @Option(
    help: "auto, csv, jsonl, cwa, gt3x, geneactiv, matrix or iio.",
    completion: .list(["auto", "csv", "jsonl", "cwa", "gt3x", "geneactiv", "matrix", "iio"]))
  var inputFormat = "auto"

  @Option(
    help: ArgumentHelp(
      "Read raw scans by the layout of a device, such as iio:device0.", valueName: "device"))
  var formatOf: String?

  @Option(
    help:
      "auto, g, mg, m/s2, raw=COUNTS with the counts per g (also for input devices), or raw=COUNTS@ZERO for a converter that reads ZERO at 0 g."
  )
  var units = "auto"

  @Option(parsing: .unconditional, help: "Samples per second, for recordings without timestamps.")
  var rate: Double?

  @Option(help: "The columns of time, x, y and z (or of x, y and z), by name or number, starting at 1.")
  var columns: String?

  @Option(parsing: .unconditional, help: "Skip earlier samples: ISO 8601, or seconds from the first sample.")
  var start: String?

  @Option(parsing: .unconditional, help: "Skip later samples: ISO 8601, or seconds from the first sample.")
  var end: String?

  @Option(help: "The file to read from an archive with several recordings.")
  var entry: String?

  @Option(help: "The device or sensor whose rows to read from text with the rows of several, by its name there.")
  var device: String?

  package func validate() throws { _ = try recordingOptions() }

  package func recordingOptions() throws -> RecordingOptions {
    do {
      var options = try RecordingOptions(
        format: inputFormat, units: units, rate: rate, columns: columns, start: start, end: end)
      (options.entry, options.device) = (entry, device)
      options.scans = try scans(options.format)
      return options
    } catch let error as RecordingOptions.Invalid {
      throw ValidationError(error.sentence { "--\($0)" })
    }
  }

  /// The formats of raw scans, from the given device.
  private func scans(_ format: RecordingFormat) throws -> [ScanDescription] {
    guard let formatOf else { return [] }
    if format != .auto, format != .iio {
      throw ValidationError("--format-of is for raw scans, but --input-format \(format.rawValue) is not; leave one out")
    }
    if columns != nil || units != "auto" {
      throw ValidationError("--format-of defines columns and units; leave out --columns and --units")
    }
    guard case .iio(let identifier)? = try? SourceURI(parsing: formatOf) else {
      throw ValidationError("--format-of takes the device that the scans came from, such as --format-of iio:device0")
    }
    var scans: [ScanDescription] = []
    try Commands.reporting { scans = try SensorSource.scanDescription(of: identifier).candidates }
    return scans
  }

  /// The given options, one word each: results with other words differ.
  package var words: [String] {
    [
      inputFormat == "auto" ? nil : "input-format=\(inputFormat)", units == "auto" ? nil : "units=\(units)",
      rate.map { "rate=\($0)" }, columns.map { "columns=\($0)" }, start.map { "start=\($0)" },
      end.map { "end=\($0)" }, formatOf.map { "format-of=\($0)" }, entry.map { "entry=\($0)" },
    ].compactMap { $0 }
  }

  /// Checks the settings for a source that is followed.
  func validate(for uri: SourceURI?) throws {
    if units.contains("@"), uri?.isLocalSensor ?? true {
      throw ValidationError(
        "--units raw=COUNTS@ZERO is for recordings and boards; the kernel knows the zero of its sensors")
    }
  }
}

/// The user's settings for the walker.
package struct WalkerOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: "Body height in metres; step length is computed from height and cadence. (default: 1.7)")
  var height: Double?

  @Option(parsing: .unconditional, help: "Step length in metres; takes precedence over the height.")
  var stepLength: Double?

  package func validate() throws { _ = try stepLengthModel() }

  package var words: [String] {
    [height.map { "height=\($0)" }, stepLength.map { "step-length=\($0)" }].compactMap { $0 }
  }

  /// Whether there are settings that a source might not know.
  var isGiven: Bool { height != nil || stepLength != nil }

  package func stepLengthModel() throws -> StepLengthModel {
    if let height, !StepLengthModel.heights.contains(height) {
      throw ValidationError("--height takes metres, 0.5 to 2.6, such as --height 1.72")
    }
    if let stepLength, !StepLengthModel.lengths.contains(stepLength) {
      throw ValidationError("--step-length takes metres, 0.1 to 3, such as --step-length 0.71")
    }
    if let stepLength { return .fixed(stepLength) }
    return .walkRatio(height: height ?? StepLengthModel.referenceHeight)
  }
}
