import Accelerometry
import SourceNames

/// Reads the samples of a recording from a file, a pipe or standard input: CSV or JSON Lines, and the binary formats of
/// research devices (``RecordingFormat``), plain, compressed or in an archive.
///
/// The first bytes show the format. Binary formats have their decoders; the rest of this class handles text.
///
/// Memory is limited to a window of the text and one batch; a JSON document that is one value is held as a whole.
/// After the layout and the unit have been detected (from
/// about a second of samples, or five if the unit is not stated and the first second is ambiguous), the reader never
/// waits for more than the next bytes of a pipe. It resumes after damage; ``summary`` reports losses and assumptions.
///
/// If the unit of a regular file is not stated, up to 2 MiB spread over the file are examined first. For a pipe without
/// gravity, up to three seconds are held back when motion begins. `Decisions` gives the reasons.
///
/// Use it from one thread at a time.
///
///     let reader = try RecordingReader(path: "walk.csv.gz")
///     var samples: [AccelerationSample] = []
///     while try reader.read(into: &samples) { print(samples.count) }
///     print(reader.summary.warnings)
public final class RecordingReader: SampleReader {
  /// The maximum number of samples per batch; they fit into the processor's cache.
  static let batchSize = 2048

  /// The properties of the sensor; complete after the first read.
  public private(set) var profile: SensorProfile
  private var source: ByteSource
  private let options: RecordingOptions
  private var isRecognised = false
  /// Whether the options name a file of an archive, and the source is none.
  private var ignoresEntry = false
  private var dump: DumpReader?
  private var lines: LineBuffer
  private var probe: LayoutProbe
  private var parser: RowParser?
  private var watch: UnitWatch?
  private var foundUnit: UnitWatch.Finding?
  /// The error that ended reading; it is thrown after the samples that were held back.
  private var failure: RecordingError?
  private var isFinished = false
  private var end = FrozenEnd()
  /// Shows whether the unit changes, of a recording that cannot be read twice.
  private var gravity: UnitEvidence?
  /// The reading of an axis without acceleration, in g.
  private var zero: Float = 0
  /// Whether the times are computed from row numbers.
  private var madeUpTimes = false

  /// Opens a file, a pipe or a device by its path.
  /// - Throws: `cannotOpen` or `isDirectory`.
  public convenience init(path: String, options: RecordingOptions = RecordingOptions()) throws(RecordingError) {
    self.init(source: try ByteSource(path: path), options: options)
  }

  /// Reads from an open descriptor, such as standard input.
  /// - Parameters:
  ///   - fileDescriptor: the descriptor; it stays open unless it is handed over.
  ///   - name: the name of the recording in errors.
  ///   - handingOver: whether the reader closes the descriptor.
  ///   - options: facts about the recording.
  public convenience init(
    fileDescriptor: Int32, name: String, handingOver: Bool = false, options: RecordingOptions = RecordingOptions()
  ) { self.init(source: ByteSource(fileDescriptor: fileDescriptor, name: name, closes: handingOver), options: options) }

  /// Opens a file or standard input by its name; `nil` for other sources.
  /// - Throws: `cannotOpen` or `isDirectory`.
  package convenience init?(_ uri: SourceURI, options: RecordingOptions) throws(RecordingError) {
    switch uri {
    case .file(let path): try self.init(path: path, options: options)
    case .standardInput: self.init(fileDescriptor: 0, name: "standard input", options: options)
    default: return nil
    }
  }

  package convenience init(_ supply: any ByteSupply, name: String, options: RecordingOptions = RecordingOptions()) {
    self.init(source: ByteSource(.supply(supply), name: name), options: options)
  }

  /// Rows of text as parsed, whose times may be replaced before samples are held back for unit detection.
  package struct Rows {
    /// The line number of the last row; `nil` if an adapter produced the lines.
    package var lastLine: Int?
    package var haveTimes: Bool
    /// Whether the bytes read so far may contain more rows.
    package var isCut: Bool
  }

  /// Replaces the times of rows as soon as they are parsed.
  package var retime: ((inout [AccelerationSample], Rows) -> Void)?

  /// When a stream without samples ends.
  var unread = UnreadLimit()

  init(source: ByteSource, options: RecordingOptions) {
    (self.source, self.options) = (source, options)
    profile = SensorProfile(name: source.name, clock: .recording)
    lines = source.isSupplied ? LineBuffer(capacity: LineBuffer.leastCapacity) : LineBuffer()
    probe = LayoutProbe(path: source.name, options: options)
  }

  /// The fraction of the file that was read, 0 to 1; `nil` for a pipe and inside an archive.
  public var fractionRead: Double? { source.fractionRead }

  /// Whether the source is a regular file, so that reading never waits for more than the disk.
  var isOfRegularFile: Bool { source.sizeIfRegular != nil }

  /// The findings so far.
  public var summary: RecordingSummary {
    var summary = dump?.summary ?? parser?.summary ?? probe.summary
    summary.isCompressed = source.isCompressed
    summary.damage = source.damage?.sentence
    summary.losses += source.archiveDamage
    summary.containerDamage = source.containerDamage
    if ignoresEntry { summary.doubts.append("it is no archive, so \(option: .entry) was not used") }
    summary.isConstant = end.isConstant
    if isFinished, let change = gravity?.change { summary.doubts.append(change.sentence) }
    summary.freeze = end.freeze
    return summary
  }

  /// The warnings of the ``summary``, and the error that replaces a number of steps.
  public var verdict: SourceVerdict { summary.verdict(of: profile.name) }

  var clockTurns: [RecordingSummary.ClockTurn] { dump?.summary.turns ?? parser?.summary.turns ?? [] }

  /// Replaces the content of `samples` with the next ones, as soon as there are any.
  /// - Returns: `false` at the end.
  /// - Throws: `RecordingError` if it is not a recording, or if the rest cannot be read.
  public func read(into samples: inout [AccelerationSample]) throws(RecordingError) -> Bool {
    samples.removeAll(keepingCapacity: true)
    if let failure {
      self.failure = nil
      throw failure
    }
    while samples.isEmpty, !isFinished {
      do throws(RecordingError) {
        if !isRecognised { try recognise() }
        if dump != nil {
          isFinished = try !(dump?.read(into: &samples) ?? false)
          describeDump()
        } else {
          try advance(into: &samples)
          keepWatch(&samples)
        }
      } catch {
        isFinished = true
        watch?.finish(into: &samples)
        let error = error.naming(summary.axes)
        if samples.isEmpty { throw error }
        failure = error
      }
    }
    gravity?.addSome(of: samples)
    end.take(samples)
    return !samples.isEmpty
  }

  private func recognise() throws(RecordingError) {
    isRecognised = true
    let input = try RecordingInput(source, options)
    source = input.source
    probe.device = input.device
    ignoresEntry = options.entry != nil && !input.isArchived
    if let found = input.dump { dump = DumpReader(source, found, options: options) }
    let isOther = options.format != .auto && options.format.isText != (input.dump == nil)
    if let found = input.dump?.format,
      isOther || (options.format != .auto && !options.format.isText && options.format != found)
    {
      throw .otherFormat(path: source.name, asked: options.format.rawValue, found: found.rawValue)
    }
    if isOther { throw .otherFormat(path: source.name, asked: options.format.rawValue, found: "no dump") }
  }

  /// Copies what a binary recording states about its sensor.
  private func describeDump() {
    guard profile.samplingFrequency == nil, let summary = dump?.summary else { return }
    profile.samplingFrequency = summary.statedRate.flatMap { SamplingFrequency(hertz: $0) }
    profile.range = summary.device?.range
  }

  /// The names of the recordings in an archive of several; empty for a single recording.
  /// - Throws: the errors of reading the first sample.
  public static func recordings(
    inArchive path: String, options: RecordingOptions = RecordingOptions()
  ) throws(RecordingError) -> [String] {
    let source = try ByteSource(path: path)
    // A pipe cannot be read twice.
    guard source.seekableDescriptor != nil else { return [] }
    return try RecordingInput.recordings(in: source, options)
  }

  /// Continues to detect the unit if it is undecided.
  private func keepWatch(_ samples: inout [AccelerationSample]) {
    if let foundUnit { return foundUnit.convert(&samples, from: 0) }
    guard watch != nil else { return }
    if let found = watch?.pass(&samples) {
      parser?.note(found)
      watch = nil
      foundUnit = found
    } else if isFinished {
      watch?.finish(into: &samples)
    }
  }

  /// Moves the readings of a converter so that its zero is 0.
  private func shift(_ samples: inout [AccelerationSample]) {
    guard zero != 0 else { return }
    for index in samples.indices { samples[index].acceleration -= zero }
  }

  /// Moves the zero of parsed rows, and replaces their times.
  private func complete(_ samples: inout [AccelerationSample]) {
    shift(&samples)
    guard let retime, !samples.isEmpty else { return }
    retime(
      &samples,
      Rows(lastLine: source.isAdapted ? nil : lines.line - 1, haveTimes: !madeUpTimes, isCut: lines.available > 0))
  }

  /// Detects the layout, parses the buffer, or reads more bytes.
  private func advance(into samples: inout [AccelerationSample]) throws(RecordingError) {
    if parser == nil, let finding = try probe.examine(&lines, of: source) { try begin(finding) }
    if parser != nil {
      parser?.parse(&lines, into: &samples)
      complete(&samples)
      if !samples.isEmpty { return unread.noteSample(at: lines.bytesRead) }
      if parser?.isPastEnd == true || (lines.isEnded && lines.available == 0) { return try finish(into: &samples) }
    }
    try lines.fill(from: source)
    if !source.isSupplied, source.sizeIfRegular == nil || source.isCompressed, unread.isReached(by: lines.bytesRead) {
      throw .endless(path: source.name, bytes: lines.bytesRead, latest: lines.excerpt)
    }
  }

  private func begin(_ finding: LayoutProbe.Finding) throws(RecordingError) {
    if options.window?.needsAbsoluteTime == true, !probe.summary.timestampsAreAbsolute {
      throw .windowNeedsAbsoluteTime(path: source.name)
    }
    madeUpTimes = finding.decoder.layout.time == nil
    if madeUpTimes {
      profile.samplingFrequency = SamplingFrequency(hertz: 1e9 / finding.decoder.madeUpPeriod)
    } else if finding.period > 0 {
      // Jitter makes more digits meaningless.
      profile.samplingFrequency = SamplingFrequency(hertz: (1e11 / Double(finding.period)).rounded() / 100)
    }
    zero = finding.zero
    // The whole of a file was looked at.
    if options.unit == nil, !source.canBeReadAgain { gravity = UnitEvidence() }
    watch = finding.question.map { UnitWatch($0, assumed: probe.summary.unit) }
    parser = RowParser(finding, summary: probe.summary, window: options.window, zone: options.zone)
  }

  private func finish(into samples: inout [AccelerationSample]) throws(RecordingError) {
    isFinished = true
    parser?.finish(into: &samples)
    complete(&samples)
    guard let summary = parser?.summary, summary.samples + summary.samplesOutsideWindow == 0,
      let worst = summary.commonestReason
    else { return }
    throw .noGoodRow(path: source.name, reason: worst.reason, line: worst.firstLine)
  }
}

extension RecordingSummary {
  /// What a recording says about itself, valid at its end.
  /// - Parameter name: what the user calls it.
  package func verdict(of name: String) -> SourceVerdict {
    SourceVerdict(
      source: name, warnings: warnings, refusal: refusal(path: name).map { "\($0)" },
      refusalWithoutSteps: refusal(path: name, isWithoutResult: true).map { "\($0)" })
  }
}
