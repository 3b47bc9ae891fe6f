import Accelerometry
import Counting
import JSONLines
import LinuxSensors
import LiveSources
import Platform
import Presentation
import Recordings
import SourceNames
import Terminals

struct RecordRun: Sendable {
  let uri: SourceURI?
  let sources: Sources
  let destination: RecordingWriter.Destination
  let format: RecordingWriter.Format
  let limit: LiveDuration
  let stop: LiveTask.Stop

  /// Samples are written to the file at least this often, in nanoseconds of their own time: a killed process loses no
  /// more.
  private static let flushInterval: Int64 = 2_000_000_000

  /// Records until the source ends, the time is over, or the user stops it.
  /// - Returns: the exit code of an error.
  func run() async -> ExitStatus? {
    do {
      try checkDestination()
      guard var source = try await limit.open(uri, from: sources, stop), let opened = source.connection else {
        complain("stopped before a sensor was found; nothing was recorded")
        return nil
      }
      if opened.countsItself {
        throw SourceFailure(
          message: "\(opened.uri) provides steps, not samples; record an accelerometer", status: .usage)
      }
      limit.limit(stop)
      source.elements.duration = limit.duration
      if let failure = try await record(source, opened) { throw failure }
      return nil
    } catch let error as RecordingWriterError where error.code == .brokenPipe {
      return nil
    } catch {
      let failure = SourceFailure(error)
      complain("\(failure.message)")
      return failure.status
    }
  }

  /// Reports a file that cannot be created before the user walks.
  private func checkDestination() throws {
    guard case .file(let path) = destination else { return }
    var status = stat()
    // A pipe would wait for its reader, and is written to directly.
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR {
      return
    }
    _ = try RecordingWriter(to: destination)
  }

  /// Copies samples until the end. Samples from before a failure of the source are kept.
  /// - Returns: why it ended early.
  private func record(_ source: OpenSource, _ opened: SourceConnection) async throws -> SourceFailure? {
    let copy = Copy(run: self, source: opened, clock: RecordedClock(opened.profile.clock))
    var events = source.elements.makeAsyncIterator()
    var goesOn = true
    while goesOn {
      let event: SourceEvent<SourceItem>?
      do { event = try await events.next() } catch {
        copy.failure = SourceFailure(error)
        if copy.output == nil { return copy.failure }
        break
      }
      switch event {
      case .element(.samples(let batch))?: goesOn = try copy.take(batch)
      case let news?: copy.tell(news)
      case nil: goesOn = false
      }
    }
    try copy.open()
    try copy.finish()
    if !copy.isCut, copy.samples == 0 { complain("no sample was recorded") }
    if !copy.isCut, copy.samples > 0 { remark("\(copy.samples) sample\(copy.samples == 1 ? "" : "s") recorded") }
    return copy.failure
  }

  private final class Copy {
    let run: RecordRun
    let source: SourceConnection
    let clock: RecordedClock
    private(set) var samples = 0
    var failure: SourceFailure?
    /// Whether some of the samples are not in the file.
    private(set) var isCut = false
    private(set) var output: RecordingWriter?
    private var flushed = Int64.min
    /// Someone who records reads no count that would look wrong.
    private var counting = SampleCounting()
    /// Each reason why it is not back is reported once.
    private var refusal: String?

    init(run: RecordRun, source: SourceConnection, clock: RecordedClock) {
      (self.run, self.source, self.clock) = (run, source, clock)
    }

    /// - Returns: whether more may be written.
    func take(_ batch: SampleBatch) throws -> Bool {
      var events: [WalkEvent] = []
      counting.take(batch, into: &events)
      for case .warning(let sentence) in events {
        complain("\(CommandTerms.translate(sentence))")
      }
      // A batch without samples contains only a warning.
      if batch.samples.isEmpty { return true }
      if output == nil {
        try open()
        run.announce(source)
      }
      do { try write(batch) } catch {
        (failure, isCut) = (try run.failure(of: error), true)
        return false
      }
      return true
    }

    /// Opens the file. The reading method is known only with the first samples.
    func open() throws {
      if output != nil { return }
      output = try RecordingWriter(to: run.destination, options: run.options(source, clock))
    }

    private func write(_ batch: SampleBatch) throws {
      try output?.write(clock.recorded(batch.samples))
      samples += batch.samples.count
      let now = batch.samples.last?.nanoseconds ?? flushed
      if run.isPipe || now &- flushed >= RecordRun.flushInterval || flushed == .min {
        try output?.flush()
        flushed = now
      }
    }

    func tell(_ event: SourceEvent<SourceItem>) {
      switch event {
      case .element: break
      case .lost(let error): complain("\(SourceFailure.loss(error))")
      case .refused(let error):
        if refusal != "\(error)" { complain("not back yet: \(error)") }
        refusal = "\(error)"
      case .back(let name):
        refusal = nil
        complain("\(name) is back")
      }
    }

    /// Completes the file. An incomplete recording does not replace a complete one.
    func finish() throws {
      if failure == nil {
        do { try output?.finish() } catch { (failure, isCut) = (try run.failure(of: error), true) }
      }
      guard failure != nil, let part = output?.endPart() else { return }
      if let sentence = run.sentence(part.name) { complain("the recording is incomplete; it was saved as \(sentence)") }
      if !isCut, part.hasFailed {
        complain("the last samples could not be written")
        isCut = true
      }
    }
  }

  /// Why writing failed. A closed pipe is a normal end.
  private func failure(of error: any Error) throws -> SourceFailure {
    if let error = error as? RecordingWriterError, error.code == .brokenPipe { throw error }
    return SourceFailure(error)
  }

  /// The name of an incomplete file, and what became of an existing one; `nil` for a pipe or device.
  private func sentence(_ name: String) -> String? {
    guard case .file(let path) = destination, name != path else { return nil }
    return isRegularFile(path) ? "\(name), and the existing file is unchanged" : name
  }

  private var isPipe: Bool { if case .descriptor = destination { true } else { false } }

  private func announce(_ source: SourceConnection) {
    remark("recording \(source.summary)" + (source.remark.map { "; \($0)" } ?? ""))
  }

  // MARK: Metadata for counting it again

  private func options(_ source: SourceConnection, _ clock: RecordedClock) -> RecordingWriter.Options {
    var options = RecordingWriter.Options()
    options.format = format
    // All bits, so that counting the recording gives the live count.
    options.significantDigits = 9
    options.namesUnits = true
    options.metadata = metadata(source, clock)
    return options
  }

  private func metadata(_ source: SourceConnection, _ clock: RecordedClock) -> [RecordingWriter.Metadata] {
    let profile = source.profile
    var (rate, method) = (profile.samplingFrequency?.hertz, String?.none)
    switch source.acquisition?.mode {
    case .buffered(let setup)?:
      rate = setup.samplingFrequency?.hertz ?? rate
      method = "buffer, trigger \(setup.trigger), clock \(setup.clockName)"
    case .polled(let frequency, let reason)?: (rate, method) = (frequency, "polled: \(reason)")
    case .events?: method = "events"
    case nil: break
    }
    let hasMatrix = source.uri.isLocalSensor || !source.uri.isSensor
    let lines: KeyValuePairs<String, String?> = [
      "recorder": "pedometer \(Version.current)", "source": "\(source.uri)", "sensor": profile.name,
      "identity": source.identity.map { "\($0)" }, "read": method,
      "sampling frequency [Hz]": rate.flatMap { Decimals.text($0, 3) },
      "range [g]": profile.range.flatMap { Decimals.text($0, 3) },
      "scale applied [g per count]": source.gPerCount.map { "\($0.x), \($0.y), \($0.z)" },
      "mount matrix applied": hasMatrix ? "\(profile.mountMatrix)" : nil, "clock": clock.description,
    ]
    return lines.compactMap { key, value in value.map { .init(key, $0) } }
  }
}

/// The clock of a recording's timestamps.
///
/// A sensor's clock counts from the start of the machine, which is meaningless a day later. Samples are stamped with
/// Unix time instead: the offset is taken once, so the time between two samples is preserved to the nanosecond.
struct RecordedClock: Sendable, CustomStringConvertible {
  private let clock: SensorClock
  private let offset: Int64

  init(_ clock: SensorClock) {
    self.clock = clock
    offset =
      switch clock {
      case .boottime: Self.now(CLOCK_REALTIME) - Self.now(CLOCK_BOOTTIME)
      case .monotonic: Self.now(CLOCK_REALTIME) - Self.now(CLOCK_MONOTONIC)
      case .realtime, .device, .recording: 0
      }
  }

  private static func now(_ clock: Int32) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The samples with the timestamps to be written.
  func recorded(_ samples: [AccelerationSample]) -> [AccelerationSample] {
    if offset == 0 { return samples }
    return samples.map { AccelerationSample(nanoseconds: $0.nanoseconds &+ offset, acceleration: $0.acceleration) }
  }

  var description: String { offset == 0 ? clock.rawValue : "\(clock.rawValue) + \(offset) ns = Unix time" }
}
