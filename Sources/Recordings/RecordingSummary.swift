import Accelerometry

/// What a reader has found in a recording so far; complete at its end.
public struct RecordingSummary: Sendable, Hashable {
  /// Rows that gave no sample, of one kind.
  public struct Skipped: Sendable, Hashable {
    /// How many.
    public var count: Int
    /// The line of the first; lines count from 1.
    public var firstLine: Int
  }

  /// The columns that are read, by name or, where there are no names, by number.
  public struct Columns: Sendable, Hashable {
    /// The column of the timestamps, if there is one.
    public var time: String?
    /// The columns of the three axes.
    public var x: String, y: String, z: String
  }

  /// How it is written down; `.auto` before that is known.
  public internal(set) var format: RecordingFormat = .auto
  /// Whether it came compressed by gzip.
  public internal(set) var isCompressed = false
  /// The columns, once they are known.
  public internal(set) var columns: Columns?
  /// The unit the acceleration was taken to be in.
  public internal(set) var unit: AccelerationUnit?
  /// What the timestamps were taken to count.
  public internal(set) var timestampFormat: TimestampFormat?
  /// Whether the timestamps are nanoseconds since 1970-01-01T00:00Z; otherwise only their differences mean something.
  public internal(set) var timestampsAreAbsolute = false
  /// Whether gravity seems to be removed already.
  public internal(set) var gravityRemoved = false
  /// Samples handed out.
  public internal(set) var samples = 0
  /// Samples outside the window.
  public internal(set) var samplesOutsideWindow = 0
  /// Rows that gave no sample, by reason.
  public internal(set) var skipped: [SkipReason: Skipped] = [:]
  /// Pauses of more than a second, and restarts of the clock.
  public internal(set) var gaps = 0
  /// The most samples one behind the other that each follow a pause.
  var longestRunOfGaps = 0
  /// The longest pause.
  public internal(set) var longestGap: Duration = .zero
  /// How often the clock jumped back by more than a second or ahead by more than a month; time goes on behind it.
  public internal(set) var clockRestarts = 0
  /// The first such line.
  public internal(set) var firstClockRestartLine: Int?
  /// The timestamp of the recording's first good sample, inside the window or not, in nanoseconds.
  public internal(set) var recordingStart: Int64?
  /// The timestamp of the first sample handed out, in nanoseconds.
  public internal(set) var firstTimestamp: Int64?
  /// The timestamp of the last sample handed out, in nanoseconds.
  public internal(set) var lastTimestamp: Int64?
  /// The device, where the recording names it.
  public internal(set) var device: RecordingDevice?
  /// The nominal sampling frequency that the recording states, in hertz.
  public internal(set) var statedRate: Double?
  /// Seconds by which the recording's clock is ahead of UTC, where it says so.
  public internal(set) var utcOffset: Int?
  /// Whether the timestamps are those of a clock on the wall, ``utcOffset`` or an unknown zone ahead of UTC.
  public internal(set) var isWallClock = false
  /// When the recording's first sample was taken, where it says so beside timestamps that name no day.
  var statedStart: Int64?
  /// Parts of a dump that were lost to damage.
  public internal(set) var damagedParts = 0
  /// The time in pauses of more than a second.
  public internal(set) var gapDuration: Duration = .zero
  /// What was lost to damage, in sentences.
  var losses: [String] = []
  /// What was doubtful about the layout, in sentences.
  var doubts: [String] = []
  /// What was wrong with the compressed data, in a sentence.
  var damage: String?

  /// Whether every sample has the same acceleration, to the last digit.
  var isConstant = false

  /// Counts rows that give no sample; `line` is that of the first.
  mutating func skip(_ reason: SkipReason, line: Int, count: Int = 1) {
    skipped[reason, default: Skipped(count: 0, firstLine: line)].count += count
  }

  /// How many rows gave no sample.
  public var rowsSkipped: Int { skipped.values.reduce(0) { $0 + $1.count } }

  /// The reason that took most rows, if any did.
  var commonestReason: (reason: SkipReason, firstLine: Int)? {
    SkipReason.allCases.compactMap { reason in skipped[reason].map { (reason, $0) } }
      .max { $0.1.count < $1.1.count }
      .map { ($0.0, $0.1.firstLine) }
  }

  /// Equal samples for less than this, in nanoseconds, may be a sensor of few bits that is held still.
  private static let briefForConstant: Int64 = 10_000_000_000

  /// Why what was read is no recording that anything should be counted in, although there are samples; nothing as a rule.
  ///
  /// Complete at the end: most rows gave no sample, most samples lie more than a second apart, or all are the same. Rows of
  /// a table in which several sensors take turns are excused: they hold no acceleration.
  /// - Parameters:
  ///   - path: the name of the recording, for the message.
  ///   - isWithoutResult: whether nothing was found in the samples; then half of the rows are too many.
  public func refusal(path: String, isWithoutResult: Bool = false) -> RecordingError? {
    let good = samples + samplesOutsideWindow
    let reasons = skipped.filter { $0.key != .missingValues }
    let bad = reasons.values.reduce(0) { $0 + $1.count }
    if bad >= Self.leastForRefusal, bad > good || (isWithoutResult && bad == good),
      let worst = reasons.max(by: { ($0.value.count, $1.value.firstLine) < ($1.value.count, $0.value.firstLine) })
    {
      return .mostRowsSkipped(
        path: path, skipped: bad, rows: bad + good, reason: worst.key, line: worst.value.firstLine)
    }
    // A tenth: bursts of ten samples hold no walk, and times that change what they count in mid-file look like this.
    if samples >= Self.leastForRefusal, gaps * 2 > samples || (hasManyGaps && longestRunOfGaps >= Self.manyGaps) {
      return .scattered(path: path, gaps: gaps, samples: samples)
    }
    if isStuck { return .constant(path: path, samples: samples) }
    return nil
  }

  private static let leastForRefusal = 10
  private static let manyGaps = 20
  private var hasManyGaps: Bool { format.isText && gaps >= Self.manyGaps && gaps * 10 > samples }

  /// Whether every sample is the same, for longer than a sensor of few bits may be held still.
  private var isStuck: Bool {
    guard isConstant, let firstTimestamp, let lastTimestamp else { return false }
    return lastTimestamp - firstTimestamp >= Self.briefForConstant
  }

  /// What is doubtful or lost, one sentence of a kind.
  public var warnings: [String] {
    var sentences = doubts
    sentences += SkipReason.allCases.compactMap { reason in
      skipped[reason].map { reason.sentence(count: $0.count, firstLine: $0.firstLine, isText: format.isText) }
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
    if samples == 0, samplesOutsideWindow > 0 {
      sentences.append("there is no sample between the given start and end")
    }
    sentences += losses
    if let damage { sentences.append(damage) }
    return sentences
  }
}
