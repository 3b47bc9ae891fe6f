import Accelerometry
import Counting
import LinuxSensors
import Platform
import Synchronization

extension Reconnecting {
  /// A sensor that may be unplugged: continues with the same sensor when it is back. It ends only by cancellation or
  /// with a permanent error.
  /// - Parameters:
  ///   - first: the opened sensor.
  ///   - waits: whether to wait while another program uses it.
  ///   - find: waits until the same sensor is present and readable; see ``SensorReturn``.
  ///   - joint: adapts an element to the previous ones.
  ///   - reopen: opens it again.
  package static func sensor(
    first: Opened, waits: Bool = false, find: @escaping @Sendable () async throws -> DiscoveredSensor?,
    joint: @escaping @Sendable () -> (_ item: Item, _ isBack: Bool) -> Item,
    reopen: @escaping @Sendable (DiscoveredSensor) throws -> any AsyncSequence<Item, any Error> & Sendable,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) -> Reconnecting {
    // It is read as soon as it is back. If its folder outlives it briefly, one extra attempt costs little.
    let policy = Policy(
      backoff: Backoff(first: .milliseconds(200), isPrompt: true), calm: .seconds(1), sleep: sleep
    ) { error, isReading in
      // Any error that prevents reading a returned sensor (such as a permission that is not set yet) may be temporary.
      (error as? SensorError).map { !isReading || $0.mayPass || waits && $0.kind == .busy } ?? false
    }
    return Reconnecting(first: first, policy: policy, joint: joint) {
      guard let found = try await find() else { return nil }
      let elements = try reopen(found)
      return Opened(name: "\(found.uri) (\(found.name))") { elements }
    }
  }
}

/// Waits for a lost sensor: the one with the same `SensorIdentity`, regardless of device number and port.
package final class SensorReturn: Sendable {
  private let sensor: DiscoveredSensor
  /// The places of sensors that have the same identity otherwise.
  private let placesOfTwins: Set<String>
  private let use: SensorOptions.Use
  private let sensors: @Sendable () throws -> [DiscoveredSensor]
  private let changes: @Sendable () -> SensorReadings<SensorChange>
  /// The latest reported obstacle.
  private let told = Mutex<SensorError?>(nil)

  /// - Parameters:
  ///   - others: the sensors present with it. Some manufacturers use one serial number for all devices.
  ///   - sensors: lists the present sensors.
  ///   - changes: an element for each change of them.
  package init(
    of sensor: DiscoveredSensor, beside others: [DiscoveredSensor] = [], use: SensorOptions.Use,
    sensors: @escaping @Sendable () throws -> [DiscoveredSensor] = { try SensorDiscovery().sensors() },
    changes: @escaping @Sendable () -> SensorReadings<SensorChange> = { SensorDiscovery().changes() }
  ) {
    self.sensor = sensor
    placesOfTwins = Set(
      others.filter { $0.kind == sensor.kind && $0.identity.isSame(as: sensor.identity) }
        .compactMap(\.identity.place).filter { $0 != sensor.identity.place })
    self.use = use
    self.sensors = sensors
    self.changes = changes
  }

  /// Returns when it is present and readable; `nil` if the task is cancelled.
  /// - Throws: the reason why it cannot be read, once for each reason.
  package func find() async throws -> DiscoveredSensor? {
    let changes = changes().makeAsyncIterator()
    while true {
      let same = try sensors().filter {
        $0.kind == sensor.kind && $0.identity.isSame(as: sensor.identity)
          && !placesOfTwins.contains($0.identity.place ?? "")
      }
      if let usable = DiscoveredSensor.best(among: same, for: use) {
        told.withLock { $0 = nil }
        return usable
      }
      if case .unusable(let error)? = same.first?.usability {
        let isNew = told.withLock { told in
          defer { told = error }
          return told != error
        }
        if isNew { throw error }
      }
      if try await changes.next() == nil { return nil }
    }
  }
}

/// Keeps time increasing across a loss, and measures its duration.
struct TimeLine: Sendable {
  private var latest: Int64?
  private var shift: Int64 = 0

  /// Adjusts the next samples. If a clock restarted while the sensor was away, it is shifted so that time does not go
  /// backwards.
  mutating func take(_ batch: SampleBatch, isBack: Bool) -> SampleBatch {
    var batch = batch
    if isBack, let latest, let first = batch.samples.first?.nanoseconds {
      if first &+ shift <= latest { shift = latest - first + GapFinder.leastInterruption }
      batch.gap = .interruption(.nanoseconds(first &+ shift - latest))
    }
    if shift != 0 { for index in batch.samples.indices { batch.samples[index].nanoseconds &+= shift } }
    latest = batch.samples.last?.nanoseconds ?? latest
    return batch
  }
}

/// Continues the steps and metres of a chip after a loss.
struct StepLine: Sendable {
  private var base = (steps: 0, distance: 0.0)
  private var latest = (steps: 0, distance: 0.0)

  /// Adjusts the next reading.
  mutating func take(_ reading: StepCounterReading, isBack: Bool) -> StepCounterReading {
    if isBack { base = latest }
    var reading = reading
    reading.steps += base.steps
    reading.distance = reading.distance.map { $0 + base.distance }
    latest = (reading.steps, reading.distance ?? latest.distance)
    return reading
  }
}

/// The most recently opened sensor.
package final class OpenedSensor: Sendable {
  private let state: Mutex<LinuxAccelerometer>
  init(_ source: LinuxAccelerometer) { state = Mutex(source) }
  package var source: LinuxAccelerometer { state.withLock { $0 } }
  func set(_ source: LinuxAccelerometer) { state.withLock { $0 = source } }
}
