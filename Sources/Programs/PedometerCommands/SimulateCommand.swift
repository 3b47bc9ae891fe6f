import Accelerometry
import ArgumentParser
import LiveSources
import Recordings
import SourceNames
import Terminals

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Generate a synthetic walk with known steps",
    discussion: """
      Writes samples to standard output, or to a file that appears when it is complete; a name that ends in .jsonl \
      gives JSON Lines, and one that ends in .gz is compressed. The same options give the same samples on every machine.

      EXAMPLES
        pedometer simulate --cadence 110 --duration 60 | pedometer count -
        pedometer simulate --position pocket -o walk.csv --truth steps.txt
        pedometer simulate --program walking:60,standing:20,running:60:170 -o day.csv
      """)

  @OptionGroup(title: "Wearer") var wearer: Wearer
  @OptionGroup(title: "Sensor") var sensor: Sensor
  @OptionGroup(title: "Recording") var output: Output

  struct Wearer: ParsableArguments {
    @Option(
      help: "walking, running, standing, typing, brushing-teeth or driving.",
      completion: .list(["walking", "running", "standing", "typing", "brushing-teeth", "driving"]))
    var activity: String?
    @Option(parsing: .unconditional, help: "Steps per minute, 40 to 240. (default: 110 walking, 165 running)")
    var cadence: String?
    @Option(parsing: .unconditional, help: "Metres, 0.2 to 2.5. (default: grows with the cadence)")
    var stepLength: String?
    @Option(parsing: .unconditional, help: "Degrees to each side, 0 to 45. (default: 10)")
    var armSwing: String?
    @Option(parsing: .unconditional, help: "Seconds, including pauses. (default: 60)")
    var duration: String?
    @Option(parsing: .unconditional, help: "Stop after this many steps, regardless of --duration.")
    var steps: String?
    @Option(parsing: .unconditional, help: "Seconds of standing before the walk. (default: 0)")
    var lead: String?
    @Option(parsing: .unconditional, help: "Seconds of standing after the walk. (default: 0)")
    var tail: String?
    @Option(parsing: .unconditional, help: "Seconds of walking before each pause. (default: no pauses)")
    var bout: String?
    @Option(parsing: .unconditional, help: "Seconds of standing between bouts. (default: 10)")
    var pause: String?
    @Option(parsing: .unconditional, help: "Variation of step times, as a fraction of the mean. (default: 0.02)")
    var variability: String?
    @Option(parsing: .unconditional, help: "Slow drift of the cadence, as a fraction of it. (default: 0.02)")
    var drift: String?
    @Option(parsing: .unconditional, help: "Seed of the random numbers. (default: 1)")
    var seed: String?
    @Option(help: "Several parts, each activity:seconds or activity:seconds:cadence, separated by commas.")
    var program: String?
  }

  struct Sensor: ParsableArguments {
    @Option(
      help: "wrist, hand, pocket, lower-back or foot. (default: wrist)",
      completion: .list(["wrist", "hand", "pocket", "lower-back", "foot"]))
    var position: String?
    @Option(
      parsing: .unconditional, help: "natural, random, or degrees about x/y/z, such as 10/20/30. (default: natural)")
    var orientation: String?
    @Option(parsing: .unconditional, help: "Samples per second, 1 to 10000. (default: 50)")
    var rate: String?
    @Option(parsing: .unconditional, help: "White noise on each axis, in g rms. (default: 0.003)")
    var noise: String?
    @Option(parsing: .unconditional, help: "Timestamp jitter in sampling periods, below 0.5. (default: 0)")
    var jitter: String?
    @Option(parsing: .unconditional, help: "Fraction of samples to drop. (default: 0)")
    var lost: String?
    @Option(parsing: .unconditional, help: "Largest acceleration that the sensor reports, in g. (default: 8)")
    var range: String?
    @Option(parsing: .unconditional, help: "Resolution in bits, over twice the range, 4 to 24. (default: 16)")
    var bits: String?
    @Flag(help: "Remove gravity, as phones do for linear acceleration.")
    var gravityRemoved = false
  }

  struct Output: ParsableArguments {
    @Option(
      name: [.customShort("o"), .long], help: "The file to write, or - for standard output.", completion: .file())
    var output = "-"
    @Option(
      help: """
        csv (header t,x,y,z; seconds and g) or json (JSON Lines with the same keys). (default: by the name of the \
        file, otherwise csv)
        """)
    var format: Format?
    @Option(help: "Write the times of the true steps to this file, in seconds, one per line.", completion: .file())
    var truth: String?
    @Flag(help: "Start with the settings and the number of true steps, as comments.")
    var metadata = false
  }

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, json
  }

  func validate() throws {
    do { _ = try walk().reader() } catch let error as SyntheticWalkError {
      throw ValidationError(Self.sentence(error))
    }
    if let truth = output.truth, truth == output.output {
      throw ValidationError("--truth and --output are the same file, '\(truth)'; give two different names")
    }
  }

  /// The error with the option as one types it.
  private static func sentence(_ error: SyntheticWalkError) -> String {
    guard case .badValue(let key, let value, let expected) = error else { return "\(error)" }
    let option = "--" + Kebab.text(key)
    return "\(option) \(value) is invalid for a synthetic walk; \(option) is \(expected)"
  }

  func run() throws {
    if output.output != "-" { EarlyEnd.says("interrupted; '\(output.output)' was not written") }
    try Commands.reporting { try write() }
  }

  private func write() throws {
    let walk = try walk()
    var options = RecordingWriter.Options()
    options.format = output.format.map { $0 == .json ? .jsonLines : .csv } ?? .init(ofFile: output.output)
    // Without gravity the magnitude does not distinguish g from m/s².
    options.namesUnits = walk.gravityRemoved
    if output.metadata { options.metadata = try metadata(of: walk) }
    var writer = try RecordingWriter(to: destination(output.output), options: options, isKept: false)
    // Before the samples, so that an invalid name is reported before a day of them is generated.
    let truth = try writtenTruth()
    var reader = try walk.reader()
    var samples: [AccelerationSample] = []
    while reader.read(into: &samples) { try writer.write(samples) }
    // Both files replace existing ones only when all samples are written, so they always belong to the same walk.
    if var truth { try truth.finish() }
    try writer.finish()
  }

  /// The times of the steps, written but not finished; `nil` unless requested.
  private func writtenTruth() throws -> StepTimesWriter? {
    guard let truth = output.truth else { return nil }
    var strikes = try walk().footStrikes()
    var writer = try StepTimesWriter(to: destination(truth))
    while let strike = strikes.next() { try writer.write(strike) }
    return writer
  }

  private func destination(_ path: String) -> RecordingWriter.Destination {
    path == "-" ? .standardOutput : .file(path: path)
  }

  /// The walk of the options; unset options keep the library's defaults.
  func walk() throws -> SyntheticWalk {
    let given: [(String, String?)] = [
      ("activity", wearer.activity), ("cadence", wearer.cadence), ("stepLength", wearer.stepLength),
      ("armSwing", wearer.armSwing),
      ("duration", wearer.duration), ("steps", wearer.steps), ("lead", wearer.lead), ("tail", wearer.tail),
      ("bout", wearer.bout), ("pause", wearer.pause), ("variability", wearer.variability), ("drift", wearer.drift),
      ("seed", wearer.seed), ("position", sensor.position), ("orientation", sensor.orientation),
      ("rate", sensor.rate), ("noise", sensor.noise), ("jitter", sensor.jitter), ("lost", sensor.lost),
      ("range", sensor.range), ("bits", sensor.bits), ("gravityRemoved", sensor.gravityRemoved ? "true" : nil),
    ]
    var walk = try SyntheticWalk(
      settings: given.compactMap { key, value in value.map { SourceURI.Setting(key: key, value: $0) } })
    if let program = wearer.program {
      guard wearer.activity == nil, wearer.duration == nil, wearer.steps == nil else {
        throw ValidationError(
          "--program already sets activities and durations; leave out --activity, --duration and --steps")
      }
      let segments = try program.split(separator: ",", omittingEmptySubsequences: false).map(Self.segment)
      if wearer.cadence != nil, segments.allSatisfy({ $0.cadence != nil || !$0.activity.isGait }) {
        throw ValidationError("each part of --program has its own cadence; leave out --cadence")
      }
      walk.program = segments
    }
    return walk
  }

  /// Parses `activity:seconds` or `activity:seconds:cadence`.
  private static func segment(_ text: Substring) throws -> SyntheticWalk.Segment {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (2...3).contains(parts.count),
      let activity = SyntheticWalk.Activity.allCases.first(where: {
        [$0.rawValue, Kebab.text($0.rawValue)].contains(parts[0])
      }),
      let seconds = Double(parts[1]), (0...1e9).contains(seconds)
    else { throw Self.badSegment(text) }
    var segment = SyntheticWalk.Segment(activity, .seconds(seconds))
    if parts.count == 3 {
      guard let cadence = Double(parts[2]) else { throw Self.badSegment(text) }
      segment.cadence = cadence
    }
    return segment
  }

  private static func badSegment(_ text: Substring) -> ValidationError {
    let names = SyntheticWalk.Activity.allCases.map { Kebab.text($0.rawValue) }.joined(separator: ", ")
    return ValidationError(
      "'\(text)' is not a program part; write activity:seconds or activity:seconds:cadence, with one of \(names)")
  }

  /// Everything needed to generate the same walk again.
  private func metadata(of walk: SyntheticWalk) throws -> [RecordingWriter.Metadata] {
    var strikes = try walk.footStrikes()
    var count = 0
    while strikes.next() != nil { count += 1 }
    var lines = walk.settings.map { RecordingWriter.Metadata($0.key, $0.value) }
    if let program = wearer.program { lines.append(.init("program", program)) }
    return lines + [.init("trueSteps", "\(count)"), .init("clock", walk.profile.clock.rawValue)]
  }
}
