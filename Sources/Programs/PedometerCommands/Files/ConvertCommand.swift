import Accelerometry
import ArgumentParser
import LiveSources
import Platform
import Presentation
import Recordings
import SourceNames
import Terminals

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a recording to CSV or JSON Lines",
    usage: "pedometer convert [<options>] --output <output> [<source>]",
    discussion: """
      Reads what 'pedometer count' reads and writes one line for each sample: t in seconds from the first sample, and x, y and z \
      in g. Samples are not resampled, interpolated or calibrated; gaps remain gaps. A name that ends in .jsonl gives JSON \
      Lines, any other name CSV; one that ends in .gz is compressed. What 'pedometer count' refuses is not converted.

      EXAMPLES
        pedometer convert week.cwa -o week.csv.gz
        pedometer convert walk.bin -o walk.jsonl --start 60 --end 120
      """)

  @Argument(help: "A recording, or - for standard input.", completion: .file())
  var source = "-"

  @Option(name: [.customShort("o"), .long], help: "The file to write, or - for standard output.", completion: .file())
  var output: String

  @Flag(help: "Write t as an ISO 8601 time of day, if the recording has it.")
  var clock = false

  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  func validate() throws {
    _ = try RecordingFile(source)
    if output.isEmpty { throw ValidationError("--output needs a name, such as -o walk.csv") }
    if output != "-", Self.isSame(source, output) {
      throw ValidationError("the source and --output are the same file; give two different names")
    }
  }

  func run() throws {
    try Commands.reporting {
      let file = try RecordingFile(source)
      try convert(try file.reader(try reading.recordingOptions()), file.title)
    }
  }

  /// A killed process loses no more than the samples that arrived in this time.
  private static let flushInterval = Duration.seconds(2)

  private func convert(_ reader: RecordingReader, _ title: String) throws {
    var samples: [AccelerationSample] = []
    // Read the first samples before creating the file, so that an unreadable recording leaves none.
    guard try reader.read(into: &samples) else {
      for warning in reader.summary.warnings { complain("\(title): \(warning)") }
      throw ExitStatus.badData.failure("\(title): no samples to write")
    }
    let origin = reader.summary.recordingStart ?? samples[0].nanoseconds
    // A file can be converted again; the samples of a pipe are gone.
    let isKept = source == "-" && !StandardInput.isRegularFile
    var writer = try RecordingWriter(
      to: output == "-" ? .standardOutput : .file(path: output), options: try options(reader.summary, origin, title),
      isKept: isKept)
    if output != "-" {
      let left = writer.part.map { "the samples so far are in \($0)" }
      EarlyEnd.says("interrupted; \(left ?? "\(output) was not written")")
    }
    let damage: RecordingError?
    do throws(RecordingWriterError) { damage = try copy(&samples, reader, since: origin, to: &writer) } catch {
      keep(&writer)
      throw error
    }
    // A recording that must not be counted is not converted to a valid one, unless the sensor merely lay still.
    if damage == nil, let refusal = reader.summary.refusal(path: title), refusal.code != .constant { throw refusal }
    do throws(RecordingWriterError) { try writer.finish() } catch {
      keep(&writer)
      throw error
    }
    for warning in reader.summary.warnings { complain("\(title): \(warning)") }
    if let damage { throw damage }
  }

  private func options(
    _ recording: RecordingSummary, _ origin: Int64, _ title: String
  ) throws -> RecordingWriter.Options {
    var options = RecordingWriter.Options()
    options.format = RecordingWriter.Format(ofFile: output)
    // A reader without this line would detect the unit, which may fail for unusual recordings.
    options.metadata.append(RecordingWriter.Metadata("unit", "g"))
    if clock {
      guard let start = recording.wallTime(of: origin) else {
        throw ExitStatus.usage.failure("\(title): has no time of day; leave out --clock")
      }
      options.clock = RecordingWriter.Clock(shift: start.nanoseconds - origin, offset: start.offset)
    } else if let start = recording.clockText(of: origin) {
      options.metadata.append(RecordingWriter.Metadata("start", start))
    }
    return options
  }

  /// Writes the first samples and all others.
  /// - Returns: the damage that ended the recording.
  private func copy(
    _ samples: inout [AccelerationSample], _ reader: RecordingReader, since origin: Int64,
    to writer: inout RecordingWriter
  ) throws(RecordingWriterError) -> RecordingError? {
    var (flushed, damage) = (ContinuousClock.now, RecordingError?.none)
    // Samples on the same terminal already show the progress.
    let progress = ProgressLine(isVisible: StandardOutput.errorIsTerminal && !(output == "-" && isatty(1) == 1))
    defer { progress.clear() }
    while true {
      let summary = clock ? reader.summary : nil
      for index in samples.indices {
        // Rows show the recording's clock, as in the recording.
        let time = samples[index].nanoseconds
        samples[index].nanoseconds = summary.map { $0.shown(time) } ?? time - origin
      }
      try writer.write(samples)
      if .now - flushed >= Self.flushInterval {
        try writer.flush()
        flushed = .now
      }
      if damage != nil { return damage }
      progress.show(reader)
      do throws(RecordingError) { if try !reader.read(into: &samples) { return nil } } catch {
        damage = error
        if samples.isEmpty { return damage }
      }
    }
  }

  /// Keeps what could be written of a file that cannot be written again, and names it.
  private func keep(_ writer: inout RecordingWriter) {
    guard writer.part != nil else { return }
    complain("the recording is incomplete; it was saved as \(writer.finishPart())")
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    let path = if case .file(let path)? = try? SourceURI(parsing: a) { path } else { a }
    return isRegularFile(path) && FileNumber(of: path) == FileNumber(of: b)
  }
}
