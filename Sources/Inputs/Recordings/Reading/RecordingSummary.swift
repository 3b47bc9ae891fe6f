import Accelerometry
import Platform

/// The findings of a reader so far; complete at the end of the recording.
public struct RecordingSummary: Sendable, Hashable {
  /// Skipped rows of one kind.
  public struct Skipped: Sendable, Hashable {
    /// The number of rows.
    public var count: Int
    /// The line of the first one, from 1.
    public var firstLine: Int
  }

  /// The columns that are read: names or, without names, numbers.
  public struct Columns: Sendable, Hashable {
    /// The column of the timestamps, if there is one.
    public var time: String?
    /// The columns of the three axes.
    public var x: String, y: String, z: String
  }

  /// The format; `.auto` until it is detected.
  public internal(set) var format: RecordingFormat = .auto
  /// Whether the input was compressed with gzip.
  public internal(set) var isCompressed = false
  /// The columns, once they are known.
  public internal(set) var columns: Columns?
  /// The axes as the option that selects them takes them.
  var axes: String?
  /// The unit of acceleration that was used.
  public internal(set) var unit: AccelerationUnit?
  /// The format of the timestamps that was used.
  public internal(set) var timestampFormat: TimestampFormat?
  /// Whether the timestamps are nanoseconds since 1970-01-01T00:00Z; otherwise only differences are meaningful.
  public internal(set) var timestampsAreAbsolute = false
  /// Whether gravity appears to have been removed.
  public internal(set) var gravityRemoved = false
  /// Samples returned.
  public internal(set) var samples = 0
  /// Samples outside the window.
  public internal(set) var samplesOutsideWindow = 0
  /// The timestamp of the last sample, in nanoseconds, if all are before the window.
  var lastBeforeWindow: Int64?
  /// Skipped rows, by reason.
  public internal(set) var skipped: [SkipReason: Skipped] = [:]
  /// Pauses of more than a second, and restarts of the clock.
  public internal(set) var gaps = 0
  /// The maximum number of consecutive samples that each follow a pause.
  var longestRunOfGaps = 0
  /// The longest pause.
  public internal(set) var longestGap: Duration = .zero
  /// How often the clock jumped back by more than a second or ahead by more than a month; samples after it continue
  /// without a pause.
  public internal(set) var clockRestarts = 0
  /// Rows that repeat earlier ones; `nil` without any.
  var copies: Skipped?
  /// Blocks of rows behind later ones, and the line of the first.
  var lateBlocks = 0
  var firstLateLine: Int?
  /// The line that stands for rows that are not in the recording.
  var abridgedLine: Int?
  /// Samples whose times are rounded to several seconds, and that resolution in nanoseconds.
  var coarse: (samples: Int, resolution: Int64?) {
    get { (coarseSamples, resolution) }
    set { (coarseSamples, resolution) = newValue }
  }
  private var coarseSamples = 0
  private var resolution: Int64?
  /// The line of the first clock restart.
  public internal(set) var firstClockRestartLine: Int?
  /// The changes of local times, by rising time.
  var turns: [ClockTurn] = []

  /// A change of local times with daylight saving time.
  struct ClockTurn: Hashable {
    /// The first timestamp after it, in nanoseconds.
    var start: Int64
    /// How far the clock was set back, in nanoseconds; negative if it was set ahead.
    var length: Int64
    /// The sum of the lengths up to this one.
    var total: Int64
  }

  mutating func addTurn(at start: Int64, length: Int64) {
    turns.append(ClockTurn(start: start, length: length, total: (turns.last?.total ?? 0) &+ length))
  }

  /// The last change of local times up to a timestamp. A damaged clock may be set before every other row.
  func turn(before timestamp: Int64) -> ClockTurn? {
    let place = turns.firstPlace { $0.start > timestamp }
    return place > 0 ? turns[place - 1] : nil
  }

  /// The timestamp of the recording's first valid sample, inside the window or not, in nanoseconds.
  public internal(set) var recordingStart: Int64?
  /// The timestamp of the first sample returned, in nanoseconds.
  public internal(set) var firstTimestamp: Int64?
  /// The timestamp of the last sample returned, in nanoseconds.
  public internal(set) var lastTimestamp: Int64?
  /// The device, if the recording names it.
  public internal(set) var device: RecordingDevice?
  /// The nominal sampling frequency that the recording states, in hertz.
  public internal(set) var statedRate: Double?
  /// The offset of the recording's clock from UTC in seconds, if known.
  public internal(set) var utcOffset: Int?
  /// Whether the timestamps are local times, ahead of UTC by ``utcOffset`` or by an unknown offset.
  public internal(set) var isWallClock = false
  /// The time of the first sample, if stated separately from timestamps without dates.
  var statedStart: Int64?
  /// Parts of a binary recording that were lost to damage.
  public internal(set) var damagedParts = 0
  /// The total time in pauses of more than a second.
  public internal(set) var gapDuration: Duration = .zero
  /// Lines from which carriage returns were removed.
  private var returns: Skipped?
  /// Losses due to damage, in sentences.
  var losses: [String] = []
  /// Ambiguities of the layout, in sentences.
  var doubts: [String] = []
  /// The first of the ambiguities that make a count of no steps meaningless.
  var graveDoubt: String?
  /// The reading of an axis without acceleration, in ``unit``; other than 0 for some analogue-digital converters.
  public internal(set) var zero = 0.0
  /// The end of the recording that repeats one value.
  var freeze: Freeze?

  /// A sensor that froze in motion, and stayed so to the end of the recording.
  struct Freeze: Hashable {
    /// The timestamp of the first of the equal samples.
    var start: Int64
    var samples: Int
  }

  mutating func doubt(_ sentence: String, isGrave: Bool = false) {
    doubts.append(sentence)
    if isGrave, graveDoubt == nil { graveDoubt = sentence }
  }

  /// Changes the unit to one that later samples showed.
  /// - Parameter unitDoubt: the ambiguity of the first unit, which a remark about the new one replaces.
  mutating func change(_ found: UnitWatch.Finding, replacing unitDoubt: String?) {
    (unit, gravityRemoved) = (found.unit, found.gravityRemoved)
    let remark = UnitGuess.lateDoubt(unit: found.unit, gravityRemoved: found.gravityRemoved)
    guard let unitDoubt, let place = doubts.firstIndex(of: unitDoubt) else { return doubts.append(remark) }
    if graveDoubt == unitDoubt { graveDoubt = nil }
    doubts[place] = remark
  }

  /// The damage of the compressed data, in a sentence.
  var damage: String?
  /// See ``ByteSource/containerDamage``.
  var containerDamage: String?

  /// The time from the first sample returned to the last.
  public var span: Duration {
    guard let firstTimestamp, let lastTimestamp else { return .zero }
    return .nanoseconds(lastTimestamp - firstTimestamp)
  }

  /// The measured samples per second, outside the gaps; `nil` before two samples.
  package var samplingFrequency: Double? {
    let recorded = (span - gapDuration) / .seconds(1)
    let intervals = samples - 1 - gaps
    return recorded > 0 && intervals > 0 ? Double(intervals) / recorded : nil
  }

  /// Whether all samples have exactly the same acceleration.
  var isConstant = false

  /// Counts a line with carriage returns inside it, which were removed.
  mutating func noteReturns(line: Int) {
    returns = Skipped(count: (returns?.count ?? 0) + 1, firstLine: returns?.firstLine ?? line)
  }

  /// Counts skipped rows; `line` is that of the first.
  mutating func skip(_ reason: SkipReason, line: Int, count: Int = 1) {
    skipped[reason, default: Skipped(count: 0, firstLine: line)].count += count
  }

  /// The number of skipped rows.
  public var rowsSkipped: Int { skipped.values.reduce(0) { $0 + $1.count } }

  /// The most frequent reason for skipping rows, if any.
  var commonestReason: (reason: SkipReason, firstLine: Int)? {
    SkipReason.allCases.compactMap { reason in skipped[reason].map { (reason, $0) } }.max { $0.1.count < $1.1.count }
      .map { ($0.0, $0.1.firstLine) }
  }

  /// Equal samples for less than this, in nanoseconds, may come from a sensor of low resolution at rest.
  private static let briefForConstant: Int64 = 10_000_000_000

  /// The error if steps should not be counted in this recording although it contains samples; usually `nil`.
  ///
  /// Valid at the end of the recording: most rows were skipped, most samples are more than a second apart, or all are
  /// the same; or no steps were found, and the unit, the times or the columns are in doubt. Rows with missing values count only if
  /// hardly a row has all, because tables that interleave several sensors have many, and so do those that fill the rows between
  /// samples with one value.
  /// - Parameters:
  ///   - path: the name of the recording, for the message.
  ///   - isWithoutResult: whether no steps were found; then a fifth of the rows being skipped is too many.
  public func refusal(path: String, isWithoutResult: Bool = false) -> RecordingError? {
    let error = unusable(path: path, isWithoutResult: isWithoutResult)?.naming(axes)
    return containerDamage.flatMap { error?.explained(by: $0, path: path) } ?? error
  }

  private func unusable(path: String, isWithoutResult: Bool) -> RecordingError? {
    let good = samples + samplesOutsideWindow
    if let abridgedLine { return .abridged(path: path, line: abridgedLine) }
    if coarse.samples * 2 > good { return .coarseTimes(path: path, resolution: coarse.resolution) }
    let backwards = skipped[.timeBackwards]?.count ?? 0
    if format.isText, lateBlocks > 0 || backwards * Self.fewestInOrder > good + backwards,
      good + backwards >= Self.leastForRefusal, backwards <= good,
      let line = [firstLateLine, skipped[.timeBackwards]?.firstLine].compactMap({ $0 }).min()
    {
      return .disordered(path: path, rows: max(backwards, lateBlocks), line: line)
    }
    let missing = skipped[.missingValues]?.count ?? 0
    let reasons = skipped.filter { entry in
      entry.key != .failedRead && (entry.key != .missingValues || missing > good * Self.mostInterleaved)
    }
    let bad = reasons.values.reduce(0) { $0 + $1.count }
    // Zero steps are not trusted if more than a few rows were skipped.
    let most = isWithoutResult ? bad * 4 >= good : bad > good
    if bad >= Self.leastForRefusal, most,
      let worst = reasons.max(by: { ($0.value.count, $1.value.firstLine) < ($1.value.count, $0.value.firstLine) })
    {
      return .mostRowsSkipped(
        path: path, skipped: bad, rows: bad + good, reason: worst.key, line: worst.value.firstLine)
    }
    // A tenth, because bursts of ten samples contain no walk. Times whose unit changes in mid-file look like this.
    if samples >= Self.leastForRefusal, gaps * 2 > samples || (hasManyGaps && longestRunOfGaps >= Self.manyGaps) {
      return .scattered(path: path, gaps: gaps, samples: samples)
    }
    if isStuck { return .constant(path: path, samples: samples) }
    if isWithoutResult, samples > 0, let graveDoubt { return .doubtful(path: path, doubt: graveDoubt) }
    return nil
  }

  private static let leastForRefusal = 10
  /// Rows of other, faster sensors for each of the accelerometer's, at most.
  private static let mostInterleaved = 200
  /// More than one row in so many that is earlier than the row before is no accident.
  private static let fewestInOrder = 50
  private static let manyGaps = 20
  private var hasManyGaps: Bool { format.isText && gaps >= Self.manyGaps && gaps * 10 > samples }

  /// Whether all samples are the same for longer than a sensor of low resolution may be at rest.
  private var isStuck: Bool {
    guard isConstant, let firstTimestamp, let lastTimestamp else { return false }
    return lastTimestamp - firstTimestamp >= Self.briefForConstant
  }

  /// Where the samples are, if none is in the window.
  private var extent: String? {
    guard let recordingStart else { return nil }
    let from = clockText(of: recordingStart)
    // Nothing is read behind the window.
    guard let lastBeforeWindow else { return "the recording begins at \(from ?? "0 s")" }
    let length = "0 to \(UnitGuess.text(Double(lastBeforeWindow - recordingStart) / 1e9)) s"
    guard let from, let to = clockText(of: lastBeforeWindow) else { return "the recording has samples from \(length)" }
    return "the recording has samples from \(from) to \(to) (\(length))"
  }

  /// Ambiguities and losses, one sentence per kind.
  public var warnings: [String] {
    var sentences = doubts
    sentences += SkipReason.allCases.compactMap { reason in
      skipped[reason].map { reason.sentence(count: $0.count, firstLine: $0.firstLine, isText: format.isText) }
    }
    if let returns {
      let first = returns.firstLine
      let lines = returns.count == 1 ? "line \(first)" : "\(returns.count) lines, first line \(first),"
      sentences.append("carriage returns inside \(lines) were ignored; a transmission error may have added them")
    }
    if let copies {
      sentences.append(
        "\(copies.count) rows from line \(copies.firstLine) on repeat rows above them and were counted once; the recording was"
          + " appended to itself, or a transfer was resumed")
    }
    if let line = firstClockRestartLine {
      sentences.append(
        "the clock was set or restarted \(clockRestarts == 1 ? "" : "\(clockRestarts) times, first ")in \(format.isText ? "line" : "part") \(line);"
          + " the samples after it continue without a pause")
    }
    if hasManyGaps || (format.isText && longestRunOfGaps >= Self.manyGaps) {
      sentences.append(
        "\(gaps) of \(samples) samples follow a pause of more than a second: the unit of the times changes, or most samples"
          + " are missing")
    }
    if isStuck {
      sentences.append(
        "all \(samples) samples are the same: the sensor was stuck or at rest; if it moved, check it and record again")
    }
    if let freeze, !isStuck {
      let start = Double(freeze.start - (firstTimestamp ?? freeze.start)) / 1e9
      sentences.append(
        "from \(UnitGuess.text((start * 100).rounded() / 100)) s to the end all samples are the same, although there was motion before:"
          + " the sensor froze; steps made in that time are missing")
    }
    if samples == 0, samplesOutsideWindow > 0 {
      sentences.append("there are no samples between the given start and end" + (extent.map { "; \($0)" } ?? ""))
    }
    sentences += losses
    if let damage { sentences.append(damage) }
    return sentences
  }
}
