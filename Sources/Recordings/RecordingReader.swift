import Accelerometry

/// Reads the samples of a recording, of a file, a pipe or standard input: text in CSV or JSON Lines, the dumps of research
/// devices (``RecordingFormat``), plain, compressed or in an archive.
///
/// What it is shows in its first bytes. Dumps go to the decoder of their format; the rest of this is about text.
///
/// It never holds more than a window of the text and one batch, never waits for more than the next bytes of a pipe once
/// it knows the layout and the unit (about a second of samples; five when nothing states the unit and the first second
/// leaves it in doubt), and goes on behind whatever is damaged; ``summary`` says what was lost and what was guessed.
///
/// Of a regular file whose unit nothing states it looks at up to 2 MiB beforehand, spread over the file; of a pipe
/// without gravity it holds up to three seconds back when motion begins. `Decisions` has the reasons.
///
/// It belongs to one thread at a time.
///
///     let reader = try RecordingReader(path: "walk.csv.gz")
///     var samples: [AccelerationSample] = []
///     while try reader.read(into: &samples) { print(samples.count) }
///     print(reader.summary.warnings)
public final class RecordingReader: SampleReader {
  /// Samples handed out at once, at most; they fit a processor's cache.
  static let batchSize = 2048

  /// What is known about the sensor; complete after the first read.
  public private(set) var profile: SensorProfile
  private var source: ByteSource
  private let options: RecordingOptions
  private var isRecognised = false
  private var dump: DumpReader?
  private var lines = LineBuffer()
  private var probe: LayoutProbe
  private var parser: RowParser?
  private var watch: UnitWatch?
  /// What ended the reading, to be thrown behind the samples that were held back.
  private var failure: RecordingError?
  private var isFinished = false
  private var firstAcceleration: SIMD3<Float>?
  private var isConstant = true
  /// Whether the samples' times count rows.
  private var madeUpTimes = false

  /// Opens a file, a pipe or a device by its path.
  /// - Throws: `cannotOpen` or `isDirectory`.
  public convenience init(path: String, options: RecordingOptions = RecordingOptions()) throws(RecordingError) {
    self.init(source: try ByteSource(path: path), options: options)
  }

  /// Reads from an open descriptor, as standard input is.
  /// - Parameters:
  ///   - fileDescriptor: where to read; it stays open when the reader goes, unless it is handed over.
  ///   - name: what errors call it.
  ///   - handingOver: whether the reader closes it.
  ///   - options: what is known about the recording.
  public convenience init(
    fileDescriptor: Int32, name: String, handingOver: Bool = false, options: RecordingOptions = RecordingOptions()
  ) {
    self.init(
      source: ByteSource(fileDescriptor: fileDescriptor, name: name, closes: handingOver), options: options)
  }

  /// Reads what somebody else supplies.
  package convenience init(_ supply: any ByteSupply, name: String, options: RecordingOptions = RecordingOptions()) {
    self.init(source: ByteSource(supply, name: name), options: options)
  }

  /// Rows of text as they were read, to be given other times: before anything is held back until the unit is known.
  package struct Rows {
    /// The number of the last one's line; `nil` where lines were made of text of another shape.
    package var lastLine: Int?
    /// Whether they have timestamps.
    package var haveTimes: Bool
    /// Whether there may be more rows in what was read already.
    package var isCut: Bool
  }

  /// Gives rows other times, as soon as they are read.
  package var retime: ((inout [AccelerationSample], Rows) -> Void)?

  init(source: ByteSource, options: RecordingOptions) {
    self.source = source
    self.options = options
    profile = SensorProfile(name: source.name, clock: .recording)
    probe = LayoutProbe(path: source.name, options: options)
  }

  /// The part of the file that was read, 0 to 1; nothing of a pipe and inside an archive.
  public var fractionRead: Double? { source.fractionRead }

  /// Whether what is read is a regular file, which has no more to wait for than the disk.
  var isOfRegularFile: Bool { source.sizeIfRegular != nil }

  /// What was found so far.
  public var summary: RecordingSummary {
    var summary = dump?.summary ?? parser?.summary ?? probe.summary
    summary.isCompressed = source.isCompressed
    summary.damage = source.damage?.sentence
    summary.losses += source.archiveDamage
    summary.isConstant = isConstant
    return summary
  }

  /// Replaces the content of `samples` by the next ones, as soon as there are any.
  /// - Returns: whether there were any; `false` is the end.
  /// - Throws: `RecordingError` when it is no recording, or when the rest cannot be read.
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
        if samples.isEmpty { throw error }
        failure = error
      }
    }
    noteConstancy(of: samples)
    return !samples.isEmpty
  }

  /// Finds out what lies in the source.
  private func recognise() throws(RecordingError) {
    isRecognised = true
    let input = try RecordingInput(source, options)
    source = input.source
    if let found = input.dump { dump = DumpReader(source, found, options: options) }
    let isOther = options.format != .auto && options.format.isText != (input.dump == nil)
    if let found = input.dump?.format,
      isOther || (options.format != .auto && !options.format.isText && options.format != found)
    {
      throw .otherFormat(path: source.name, asked: options.format.rawValue, found: found.rawValue)
    }
    if isOther { throw .otherFormat(path: source.name, asked: options.format.rawValue, found: "no dump") }
  }

  /// Takes over what a dump says of its sensor.
  private func describeDump() {
    guard profile.samplingFrequency == nil, let summary = dump?.summary else { return }
    profile.samplingFrequency = summary.statedRate.flatMap { SamplingFrequency(hertz: $0) }
    profile.range = summary.device?.range
  }

  /// The names of the recordings in an archive that holds several; none when it is one recording.
  /// - Throws: what reading its first sample would throw.
  public static func recordings(
    inArchive path: String, options: RecordingOptions = RecordingOptions()
  ) throws(RecordingError) -> [String] {
    let source = try ByteSource(path: path)
    // A pipe cannot be looked at twice.
    guard source.seekableDescriptor != nil else { return [] }
    return try RecordingInput.recordings(in: source, options)
  }

  /// Goes on looking for the unit where that is open.
  private func keepWatch(_ samples: inout [AccelerationSample]) {
    guard watch != nil else { return }
    if let unit = watch?.pass(&samples) {
      parser?.change(to: unit, doubt: UnitGuess.lateDoubt(unit: unit))
      watch = nil
    } else if isFinished {
      watch?.finish(into: &samples)
    }
  }

  /// Stops looking at the first sample that differs, which in a sensor that works is the second or third of all.
  private func noteConstancy(of samples: [AccelerationSample]) {
    guard isConstant, let first = firstAcceleration ?? samples.first?.acceleration else { return }
    firstAcceleration = first
    isConstant = samples.allSatisfy { $0.acceleration == first }
  }

  /// One step: recognise, or parse what is there, or read more.
  private func advance(into samples: inout [AccelerationSample]) throws(RecordingError) {
    if parser == nil, let finding = try probe.examine(&lines, of: source) { try begin(finding) }
    if parser != nil {
      parser?.parse(&lines, into: &samples)
      if let retime, !samples.isEmpty {
        retime(
          &samples,
          Rows(
            lastLine: source.isAdapted ? nil : lines.line - 1, haveTimes: !madeUpTimes,
            isCut: lines.available > 0))
      }
      if !samples.isEmpty { return }
      if parser?.isPastEnd == true || (lines.isEnded && lines.available == 0) { return try finish(into: &samples) }
    }
    try lines.fill(from: source)
  }

  private func begin(_ finding: LayoutProbe.Finding) throws(RecordingError) {
    if options.window?.needsAbsoluteTime == true, !probe.summary.timestampsAreAbsolute {
      throw .windowNeedsAbsoluteTime(path: source.name)
    }
    madeUpTimes = finding.decoder.layout.time == nil
    if madeUpTimes {
      profile.samplingFrequency = SamplingFrequency(hertz: 1e9 / finding.decoder.madeUpPeriod)
    } else if finding.period > 0 {
      // Jitter makes more digits than it has meaning.
      profile.samplingFrequency = SamplingFrequency(hertz: (1e11 / Double(finding.period)).rounded() / 100)
    }
    watch = finding.question.map { UnitWatch($0) }
    parser = RowParser(finding, summary: probe.summary, window: options.window)
  }

  private func finish(into samples: inout [AccelerationSample]) throws(RecordingError) {
    isFinished = true
    parser?.finish(into: &samples)
    guard let summary = parser?.summary, summary.samples + summary.samplesOutsideWindow == 0,
      let worst = summary.commonestReason
    else { return }
    throw .noGoodRow(path: source.name, reason: worst.reason, line: worst.firstLine)
  }
}
