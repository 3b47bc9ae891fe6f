import Accelerometry
import LinuxSensors
import Recordings
import SourceNames

/// Text as it arrives: from a serial port, the network or a program.
package protocol TextChannel: AnyObject {
  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome
  /// Reads the available bytes without waiting; 0 if there are none.
  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int
  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome
  /// The time since boot, in nanoseconds.
  var now: Int64 { get }
  /// What is worth a warning, once.
  func takeRemark() -> String?
  /// Whether it has sent all that it had to send.
  var isComplete: Bool { get }
}

extension TextChannel {
  package func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { stop.wait(atMost: time) }
  package var now: Int64 { SensorClock.boottime.now }
  package func takeRemark() -> String? { nil }
  package var isComplete: Bool { false }
}

extension SerialPort: TextChannel {}

/// Reads the samples that a board prints: finds them among other output, parses the text with a `RecordingReader`, and
/// times them by their arrival.
final class BoardReader: SensorReader {
  struct Settings: Sendable {
    var name: String
    var medium = BoardMedium.serial(rate: SerialAddress.usualRate)
    var reading = RecordingOptions()
    /// The time without data after which a board that has sent data is considered lost.
    var silence = Duration.seconds(10)
    /// How long bytes accumulate before they are read.
    var gathering = Duration.milliseconds(50)
    /// Whether to report a board that sends nothing; not after it is back.
    var remarksOnSilence = true
  }

  /// The time without a byte that causes a message.
  static let silence = Duration.seconds(5)

  private let settings: Settings
  private let makeChannel: () throws -> any TextChannel
  private var line: (any TextChannel)?
  private var text = BoardText()
  private var reader: RecordingReader?
  private var supply: BoardSupply?
  private var clock: BoardClock?
  private var gaps = GapFinder(frequency: nil)
  private var samples: [AccelerationSample] = []
  private var waiting: [SampleBatch] = []
  /// What follows the last batch: the end of a recording, or an error.
  private var ending: Result<SampleBatch?, any Error>?
  private var hasRemarked = false
  private var hasToldDoubt = false
  private var warnings: [String] = []
  /// Nanoseconds during which data arrived, and the time of the latest data.
  private var active: Int64 = 0
  private var latest: Int64?
  /// When each row of the current run arrived.
  private var arrivals: [Int64] = []
  private var pace = SamplePace(start: 0)

  init(_ settings: Settings, channel: @escaping () throws -> any TextChannel) {
    self.settings = settings
    makeChannel = channel
  }

  func open() throws {
    let line = try makeChannel()
    pace = SamplePace(start: line.now)
    self.line = line
  }

  func close() {
    reader = nil
    supply = nil
    line = nil
  }

  func rest(until stop: StopSignal) { if waiting.isEmpty { _ = supply?.rest(until: stop) } }

  func next(until stop: StopSignal) throws -> SampleBatch? {
    guard let line else { return nil }
    supply?.stop = stop
    while waiting.isEmpty {
      if let ending { return try ending.get() }
      if let reader {
        guard try read(reader, until: stop) else { return nil }
      } else {
        guard try listen(to: line, until: stop) else { return nil }
      }
    }
    return waiting.removeFirst()
  }

  // MARK: Finding the first samples

  /// Waits for the next bytes and checks whether they are samples.
  /// - Returns: `false` if the flag is raised.
  private func listen(to line: any TextChannel, until stop: StopSignal) throws -> Bool {
    switch line.wait(until: stop, atMost: Self.silence) {
    case .raised: return false
    case .timedOut:
      remarkOnSilence()
      return true
    case .readable: break
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count: Int
    do {
      count = try unsafe buffer.withUnsafeMutableBytes { try unsafe line.read(into: $0) }
    } catch {
      guard line.isComplete, !text.bytes.isEmpty else { throw error }
      try decide(line, stop)
      return true
    }
    let now = line.now
    // Long waits do not count: a board may take long to boot.
    if count > 0 { active += min(now &- (latest ?? now), 500_000_000) }
    latest = now
    let before = text.lineCount
    text.append(buffer[..<count])
    noteArrivals(text.lineCount - before, now)
    // They may be the reason why there are no samples.
    tell()
    // What made it readable was no data, and may go on.
    if count == 0 { return line.rest(until: stop, for: settings.gathering) != .raised }
    if let start = text.start {
      begin(with: text.bytes[start...], line, stop)
    } else if text.isLong || active >= 5_000_000_000 {
      try decide(line, stop)
    }
    return true
  }

  private func noteArrivals(_ lines: Int, _ now: Int64) {
    arrivals += repeatElement(now, count: lines)
    arrivals.removeFirst(max(0, arrivals.count - text.rows))
  }

  private func remarkOnSilence() {
    guard settings.remarksOnSilence, !hasRemarked else { return }
    hasRemarked = true
    let name = settings.name
    let sentence =
      if text.bytes.isEmpty {
        settings.medium.silence(of: name)
      } else if text.rest.isEmpty {
        "\(name) stopped sending after '\(text.excerpt)'; \(settings.medium.awakening)"
      } else {
        "\(name) sent '\(text.rest)' and then nothing; \(settings.medium.awakening)"
      }
    waiting.append(SampleBatch(samples: [], warning: sentence))
  }

  /// Decides after enough data whether it contains samples.
  private func decide(_ line: any TextChannel, _ stop: StopSignal) throws {
    let bytes = text.afterPartialLine
    let trial = RecordingReader(KeptBytes(bytes), name: settings.name, options: reading())
    var (found, count): ([AccelerationSample], Int) = ([], 0)
    do {
      while try trial.read(into: &found) { count += found.count }
      if count >= BoardText.rowsThatAgree { return begin(with: bytes, line, stop) }
    } catch {
      // Usage errors of the reader have their own remedy.
      if error.kind == .usage { throw error }
      throw unrecognised(error)
    }
    throw unrecognised(nil)
  }

  private func unrecognised(_ error: RecordingError?) -> SourceFailure {
    let what = "\(settings.name) sends no samples that can be read\(settings.medium.qualification): "
    if text.shareOfNoText > 0.2 {
      return SourceFailure(
        message: what + "most of the data is not text; \(settings.medium.remedyForNoText)", status: .badData)
    }
    return SourceFailure(
      message: what
        + "'\(text.excerpt)'; \(settings.medium.remedyForOtherText), or name the columns with \(RecordingOption.columns)",
      status: .badData)
  }

  private func reading() -> RecordingOptions {
    var options = settings.reading
    if options.measuredFrequency == nil { options.measuredFrequency = measuredFrequency }
    return options
  }

  private var measuredFrequency: SamplingFrequency {
    let usual = SamplingFrequency(hertz: 100)!
    guard let first = arrivals.first, let last = arrivals.last, last > first else { return usual }
    // Rows of the first burst arrived before they were read.
    let rows = arrivals.count - arrivals.count { $0 == first }
    let rate = Double(rows) * 1e9 / Double(last - first)
    return SamplingFrequency(hertz: min(max(rate, 5), 4000)) ?? usual
  }

  private func begin(with bytes: ArraySlice<UInt8>, _ line: any TextChannel, _ stop: StopSignal) {
    let supply = BoardSupply(line, first: bytes, settings, arrivals: arrivals)
    supply.stop = stop
    let reader = RecordingReader(supply, name: settings.name, options: reading())
    reader.retime = { [weak self] samples, rows in self?.retime(&samples, rows) }
    (self.supply, self.reader) = (supply, reader)
    text = BoardText()
    arrivals = []
  }

  // MARK: Samples

  /// - Returns: `false` if the flag is raised.
  private func read(_ reader: RecordingReader, until stop: StopSignal) throws -> Bool {
    do {
      if try reader.read(into: &samples) {
        supply?.noteSamples()
        handOver()
        return true
      }
    } catch {
      if supply?.wasStopped == true { return false }
      throw supply?.failure ?? error
    }
    tell()
    waiting.append(SampleBatch(samples: [], verdict: reader.verdict))
    if supply?.wasStopped == true { return false }
    let isRecording = line.map { $0.isComplete && !pace.isLive(at: $0.now) } ?? false
    ending = isRecording ? .success(nil) : .failure(supply?.failure ?? SensorError.removed(path: settings.name))
    return true
  }

  private func retime(_ samples: inout [AccelerationSample], _ rows: RecordingReader.Rows) {
    guard let supply else { return }
    pace.take(samples)
    let isFirst = clock == nil
    if isFirst {
      clock = BoardClock(
        hasTimes: rows.haveTimes, isStated: !rows.haveTimes && settings.reading.samplingFrequency != nil)
    }
    let (arrival, marks) = supply.arrival(ofLine: rows.lastLine, withMarks: isFirst)
    clock?.take(&samples, arrivedAt: arrival, marks: marks)
    if let doubt = clock?.doubt, !hasToldDoubt {
      hasToldDoubt = true
      warnings.append(doubt)
    }
  }

  private func handOver() {
    tell()
    waiting += gaps.split(samples)
  }

  /// Hands over what is worth a warning.
  private func tell() {
    while let remark = line?.takeRemark() { warnings.append(remark) }
    waiting += warnings.map { SampleBatch(samples: [], warning: $0) }
    warnings.removeAll()
  }
}
