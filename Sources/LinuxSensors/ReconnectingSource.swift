import Accelerometry
import Synchronization

/// An accelerometer that may be unplugged: goes on with the same sensor when it is back, after a gap.
///
/// The same sensor is the one of the same ``SensorIdentity``, whatever its number and socket. While it is away the
/// sequence waits; only cancelling ends it, or an error that waiting does not heal.
public struct ReconnectingSource: AccelerationSource {
  /// What happened to the sensor.
  public enum Event: Sendable, Hashable {
    /// It was unplugged or has fallen silent.
    case lost(SensorError)
    /// Something like it is there, but cannot be read (yet).
    case refused(SensorError)
    /// It is back.
    case back(DiscoveredSensor)
  }

  /// The sensor as it was found first.
  public let sensor: DiscoveredSensor
  /// What is known before the first sample.
  public let profile: SensorProfile
  private let first: SensorReadings<SampleBatch>
  private let reopen: @Sendable (DiscoveredSensor) throws -> SensorReadings<SampleBatch>
  private let changes: @Sendable () -> SensorReadings<SensorChange>
  private let report: @Sendable (Event) -> Void
  private let opened: OpenedSource

  /// Wraps a sensor that was found.
  /// - Parameters:
  ///   - sensor: an accelerometer.
  ///   - options: how it is to be read, also after it came back.
  ///   - machine: where the kernel's files are.
  ///   - report: hears of loss and return, on the consuming task.
  /// - Throws: what opening it gave; `.unusable` for a step counter.
  public init(
    _ sensor: DiscoveredSensor, options: SensorOptions = SensorOptions(), in machine: SensorEnvironment = .machine,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(SensorError) {
    let open = { @Sendable (sensor: DiscoveredSensor) throws(SensorError) -> LinuxAccelerometer in
      if case .accelerometer(let source) = try SensorSource.open(sensor.uri, options: options, in: machine) {
        return source
      }
      throw .noThreeAxes(sensor.folder.path)
    }
    let source = try open(sensor)
    let opened = OpenedSource(source)
    self.init(
      sensor, profile: source.profile, first: source.batches(),
      reopen: { found in
        let source = try open(found)
        opened.set(source)
        return source.batches()
      },
      changes: { SensorDiscovery(in: machine).changes() }, report: report, opened: opened)
  }

  init(
    _ sensor: DiscoveredSensor, profile: SensorProfile, first: SensorReadings<SampleBatch>,
    reopen: @escaping @Sendable (DiscoveredSensor) throws -> SensorReadings<SampleBatch>,
    changes: @escaping @Sendable () -> SensorReadings<SensorChange>, report: @escaping @Sendable (Event) -> Void,
    opened: OpenedSource = OpenedSource(nil)
  ) {
    self.opened = opened
    self.sensor = sensor
    self.profile = profile
    self.first = first
    self.reopen = reopen
    self.changes = changes
    self.report = report
  }

  /// The accelerometer as it was opened last.
  public var present: LinuxAccelerometer? { opened.source }

  /// The samples, over any number of losses.
  public func batches() -> Batches { Batches(source: self) }

  /// See ``ReconnectingSource``.
  public struct Batches: AsyncSequence, Sendable {
    fileprivate let source: ReconnectingSource

    /// Starts with the sensor as it was found first.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: source, phase: .reading(source.first.makeAsyncIterator()))
    }
  }

  /// The one consumer's end.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Phase {
      case reading(SensorReadings<SampleBatch>.Iterator)
      case waiting(SensorReadings<SensorChange>.Iterator)
    }
    fileprivate let source: ReconnectingSource
    fileprivate var phase: Phase
    private var line = TimeLine()

    fileprivate init(source: ReconnectingSource, phase: Phase) {
      self.source = source
      self.phase = phase
    }

    /// Waits for the next samples.
    public mutating func next() async throws -> SampleBatch? {
      while true {
        switch phase {
        case .reading(let readings):
          do {
            return try await readings.next().map { line.take($0) }
          } catch let error as SensorError where error.mayPass {
            source.report(.lost(error))
            phase = .waiting(source.changes().makeAsyncIterator())
          }
        case .waiting(let changes):
          guard let change = try await changes.next() else { return nil }
          if let batch = try await resume(with: change) { return batch }
        }
      }
    }

    /// Tries a sensor that came up; its first samples if it is the one and speaks.
    private mutating func resume(with change: SensorChange) async throws -> SampleBatch? {
      guard let found = change.present, found.identity.isSame(as: source.sensor.identity),
        found.kind == source.sensor.kind
      else { return nil }
      do {
        let readings = try source.reopen(found).makeAsyncIterator()
        guard let batch = try await readings.next() else { return nil }
        source.report(.back(found))
        phase = .reading(readings)
        return line.resume(batch)
      } catch let error as SensorError {
        // Still going (its folder outlives it by a moment), not yet permitted (the rules come later): wait for news.
        source.report(.refused(error))
        if case .silent = error { phase = .waiting(source.changes().makeAsyncIterator()) }
        return nil
      }
    }
  }
}

/// The sensor as it was opened last.
final class OpenedSource: Sendable {
  private let state: Mutex<LinuxAccelerometer?>
  init(_ source: LinuxAccelerometer?) { state = Mutex(source) }
  var source: LinuxAccelerometer? { state.withLock { $0 } }
  func set(_ source: LinuxAccelerometer) { state.withLock { $0 = source } }
}

extension SensorChange {
  /// The sensor, unless it is gone.
  fileprivate var present: DiscoveredSensor? {
    switch self {
    case .added(let sensor), .changed(let sensor): sensor
    case .removed: nil
    }
  }
}

/// Keeps time rising over a loss, and says how long it was.
struct TimeLine: Sendable {
  private var latest: Int64?
  private var shift: Int64 = 0

  /// Samples of a sensor that was not away.
  mutating func take(_ batch: SampleBatch) -> SampleBatch {
    var batch = batch
    if shift != 0 { for index in batch.samples.indices { batch.samples[index].nanoseconds &+= shift } }
    latest = batch.samples.last?.nanoseconds ?? latest
    return batch
  }

  /// The first samples of one that was. A clock that began anew is set so that time does not run backwards.
  mutating func resume(_ batch: SampleBatch) -> SampleBatch {
    let before = latest
    if let before, let first = batch.samples.first?.nanoseconds, first &+ shift <= before {
      shift = before - first + GapFinder.leastInterruption
    }
    var batch = take(batch)
    if let before, let first = batch.samples.first?.nanoseconds {
      batch.gap = .interruption(.nanoseconds(first - before))
    }
    return batch
  }
}
