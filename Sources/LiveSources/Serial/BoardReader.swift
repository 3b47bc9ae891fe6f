import Accelerometry
import LinuxSensors
import Recordings

/// Where a board's bytes come from: a serial port, or a test's script.
protocol BoardLine: AnyObject {
  /// Waits for bytes.
  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome
  /// Reads what is there, without waiting; 0 when there is nothing at present.
  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int
  /// Lets time pass.
  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome
  /// The time since boot, in nanoseconds.
  var now: Int64 { get }
}

/// A serial port and this computer's clock.
final class PortLine: BoardLine {
  private let port: SerialPort
  init(_ port: SerialPort) { self.port = port }
  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    port.wait(until: stop, atMost: timeout)
  }
  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    try unsafe port.read(into: target)
  }
  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { stop.wait(atMost: time) }
  var now: Int64 { SensorClock.boottime.now }
}

/// Reads the samples that a board prints: waits for them among whatever else it says, has a `RecordingReader` read the text, and
/// times them by their arrival.
final class BoardReader: SensorReader {
  /// How a board is to be read.
  struct Settings: Sendable {
    /// What people call it.
    var name: String
    /// Bits per second, for messages.
    var rate = SerialAddress.usualRate
    /// What is known about the text.
    var reading = RecordingOptions()
    /// After how long without a word a board that has spoken is taken for lost.
    var silence = Duration.seconds(10)
    /// What is let gather before it is read.
    var gathering = Duration.milliseconds(50)
    /// Whether nothing at all is worth a word: of a board that is back it is not.
    var remarksOnSilence = true
  }

  /// After so long without a byte something is said.
  static let patience = Duration.seconds(5)
  /// After so long a time with data, but without samples.
  private static let longestUnread: Int64 = 10_000_000_000
  private static let mostUnread = 16_384

  private let settings: Settings
  private let makeLine: () throws -> any BoardLine
  private var line: (any BoardLine)?
  private var text = BoardText()
  private var reader: RecordingReader?
  private var supply: Supply?
  private var clock: BoardClock?
  private var gaps = GapFinder(frequency: nil)
  private var samples: [AccelerationSample] = []
  private var waiting: [SampleBatch] = []
  private let notes: ReadingNotes
  private var hasRemarked = false
  private var hasToldDoubt = false
  private var warning: String?
  /// Nanoseconds in which data came, and when the last did.
  private var active: Int64 = 0
  private var latest: Int64?
  /// When each row of the present run arrived.
  private var arrivals: [Int64] = []

  init(_ settings: Settings, notes: ReadingNotes = ReadingNotes(), line: @escaping () throws -> any BoardLine) {
    self.settings = settings
    self.notes = notes
    makeLine = line
  }

  func open() throws { line = try makeLine() }

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
      if let reader {
        guard try read(reader, until: stop) else { return nil }
      } else {
        guard try listen(to: line, until: stop) else { return nil }
      }
    }
    return waiting.removeFirst()
  }

  // MARK: Until there are samples

  /// Waits for what comes next and looks whether it is samples.
  /// - Returns: `false` once the flag is raised.
  private func listen(to line: any BoardLine, until stop: StopSignal) throws -> Bool {
    switch line.wait(until: stop, atMost: Self.patience) {
    case .raised: return false
    case .timedOut:
      remarkOnSilence()
      return true
    case .readable: break
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe line.read(into: $0) }
    let now = line.now
    // Waiting is not reading: a board may boot for long.
    if count > 0 { active += min(now &- (latest ?? now), 500_000_000) }
    latest = now
    let before = text.lineCount
    text.append(buffer[..<count])
    noteArrivals(text.lineCount - before, now)
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
        "no data from \(name) at \(settings.rate) bits per second; is the rate right (baud=), and does its program run? "
          + "Try its reset button"
      } else if text.rest.isEmpty {
        "\(name) has fallen silent after '\(text.excerpt)'; does its program run? Try its reset button"
      } else {
        "\(name) says '\(text.rest)' and nothing more; start its program, or try its reset button"
      }
    waiting.append(SampleBatch(samples: [], warning: sentence))
  }

  /// So much came that it has to be clear what it is.
  private func decide(_ line: any BoardLine, _ stop: StopSignal) throws {
    let bytes = text.afterPartialLine
    let trial = RecordingReader(Kept(bytes), name: settings.name, options: reading())
    var (found, count): ([AccelerationSample], Int) = ([], 0)
    do {
      while try trial.read(into: &found) { count += found.count }
      if count >= BoardText.rowsThatAgree { return begin(with: bytes, line, stop) }
    } catch {
      // Refusals that name another remedy than the text's are the reader's own.
      if error.kind == .usage { throw error }
      throw unrecognised(error)
    }
    throw unrecognised(nil)
  }

  private func unrecognised(_ error: RecordingError?) -> SourceFailure {
    let what = "\(settings.name) sends no samples that can be read, at \(settings.rate) bits per second: "
    if text.shareOfNoText > 0.2 {
      return SourceFailure(
        message: what + "most of it is no text; name the rate at which the board prints, as baud=9600",
        status: .badData)
    }
    return SourceFailure(
      message: what
        + "'\(text.excerpt)'; let it print one sample a line, such as millis,x,y,z ('pedometer board' shows a sketch), "
        + "or name the columns (--columns)",
      status: .badData)
  }

  /// What the reader is told of the text.
  private func reading() -> RecordingOptions {
    var options = settings.reading
    if options.measuredFrequency == nil { options.measuredFrequency = measuredFrequency }
    return options
  }

  /// Rows a second, roughly, by the rows that were seen.
  private var measuredFrequency: SamplingFrequency {
    let usual = SamplingFrequency(hertz: 100)!
    guard let first = arrivals.first, let last = arrivals.last, last > first else { return usual }
    // Those of the first burst came before it was looked at.
    let rows = arrivals.count - arrivals.count { $0 == first }
    let rate = Double(rows) * 1e9 / Double(last - first)
    return SamplingFrequency(hertz: min(max(rate, 5), 4000)) ?? usual
  }

  private func begin(with bytes: ArraySlice<UInt8>, _ line: any BoardLine, _ stop: StopSignal) {
    let supply = Supply(line, first: bytes, settings, arrivals: arrivals)
    supply.stop = stop
    let reader = RecordingReader(supply, name: settings.name, options: reading())
    reader.retime = { [weak self] samples, rows in self?.retime(&samples, rows) }
    (self.supply, self.reader) = (supply, reader)
    text = BoardText()
    arrivals = []
  }

  // MARK: Samples

  /// - Returns: `false` once the flag is raised.
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
    notes.note(reader.summary.warnings)
    if supply?.wasStopped == true { return false }
    throw supply?.failure ?? SensorError.removed(path: settings.name)
  }

  private func retime(_ samples: inout [AccelerationSample], _ rows: RecordingReader.Rows) {
    guard let supply else { return }
    let isFirst = clock == nil
    if isFirst {
      clock = BoardClock(
        hasTimes: rows.haveTimes, isStated: !rows.haveTimes && settings.reading.samplingFrequency != nil)
    }
    let (arrival, marks) = supply.arrival(ofLine: rows.lastLine, withMarks: isFirst)
    clock?.take(&samples, arrivedAt: arrival, marks: marks)
    if let doubt = clock?.doubt, !hasToldDoubt {
      hasToldDoubt = true
      warning = doubt
    }
  }

  private func handOver() {
    var batches = gaps.split(samples)
    if let sentence = warning, !batches.isEmpty {
      batches[0].warning = sentence
      warning = nil
    }
    waiting += batches
  }

  /// Bytes that are there already.
  private final class Kept: ByteSupply {
    private var bytes: ArraySlice<UInt8>
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    func read(into target: UnsafeMutableRawBufferPointer) -> Int { unsafe bytes.move(to: target) }
  }

  /// What was listened to, and then what comes; and when it came.
  private final class Supply: ByteSupply {
    private let line: any BoardLine
    private let settings: Settings
    private var first: ArraySlice<UInt8>
    var stop: StopSignal?
    private(set) var wasStopped = false
    private(set) var failure: (any Error)?
    /// Lines so far, and when they had come; those that no sample was read of yet.
    private var marks: [(lines: Int, nanoseconds: Int64)] = []
    private var lines = 0
    private var heard: Int64
    private var unread: (bytes: Int, since: Int64)
    private var tail: [UInt8] = []
    /// Whether data flow, so that the next need not be waited for.
    private var isFlowing = false
    private var hasRested = false

    /// - Parameter arrivals: when the last whole lines of `first` came.
    init(_ line: any BoardLine, first: ArraySlice<UInt8>, _ settings: Settings, arrivals: [Int64]) {
      self.line = line
      self.first = first
      self.settings = settings
      heard = line.now
      unread = (first.count, heard)
      lines = first.count { $0 == 0x0A }
      for (index, arrival) in arrivals.enumerated() {
        marks.append((lines - (arrivals.count - 1 - index), arrival))
      }
      if marks.isEmpty { marks = [(lines, heard)] }
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
      if !first.isEmpty { return unsafe first.move(to: target) }
      guard failure == nil, !wasStopped, let stop else { return 0 }
      while true {
        // Once they flow, a read finds them without a wake-up for each.
        if rest(until: stop) == .raised { return end() }
        if !isFlowing {
          switch line.wait(until: stop, atMost: remaining) {
          case .raised: return end()
          case .timedOut where line.now &- heard >= settings.silence.wholeNanoseconds:
            return fail(SensorError.silent(path: settings.name, after: settings.silence))
          case .timedOut: continue
          case .readable: break
          }
        }
        do throws(SensorError) {
          let count = try unsafe line.read(into: target)
          (isFlowing, hasRested) = (count > 0, false)
          if count == 0 { continue }
          unsafe note(UnsafeRawBufferPointer(rebasing: target[..<count]))
          return failure == nil ? count : 0
        } catch {
          return fail(error)
        }
      }
    }

    /// Lets bytes gather, once between two reads.
    func rest(until stop: StopSignal) -> StopSignal.Outcome {
      guard isFlowing, !hasRested else { return .timedOut }
      hasRested = true
      return line.rest(until: stop, for: settings.gathering)
    }

    private var remaining: Duration {
      .nanoseconds(max(1_000_000, settings.silence.wholeNanoseconds - (line.now &- heard)))
    }

    private func end() -> Int {
      wasStopped = true
      return 0
    }

    private func fail(_ error: any Error) -> Int {
      failure = error
      return 0
    }

    private func note(_ bytes: UnsafeRawBufferPointer) {
      heard = line.now
      let more = unsafe bytes.count { $0 == 0x0A }
      lines += more
      if more > 0 { marks.append((lines, heard)) }
      unread.bytes += bytes.count
      if unread.bytes > BoardReader.mostUnread, heard &- unread.since > BoardReader.longestUnread {
        let text = unsafe BoardText.printable(Array(bytes.suffix(100))[...])
        failure = SensorError.nonsense(path: settings.name, text: text, expected: "a sample")
      }
    }

    /// Samples were read of what came.
    func noteSamples() { unread = (0, heard) }

    /// When a line had come.
    /// - Parameter withMarks: whether the lines before it are wanted, too.
    func arrival(ofLine number: Int?, withMarks: Bool) -> (Int64, [BoardClock.Mark]) {
      guard let number else {
        marks.removeAll()
        return (heard, [])
      }
      let place = marks.firstIndex { $0.lines >= number } ?? marks.count
      let arrival = place < marks.count ? marks[place].nanoseconds : heard
      defer { marks.removeFirst(place) }
      guard withMarks else { return (arrival, []) }
      return (
        arrival, marks[..<place].map { BoardClock.Mark(rowsBefore: number - $0.lines, nanoseconds: $0.nanoseconds) }
      )
    }
  }
}

extension ArraySlice<UInt8> {
  /// Moves as much as fits.
  fileprivate mutating func move(to target: UnsafeMutableRawBufferPointer) -> Int {
    let count = Swift.min(self.count, target.count)
    unsafe prefix(count).withUnsafeBytes { bytes in unsafe target.copyMemory(from: bytes) }
    removeFirst(count)
    return count
  }
}
