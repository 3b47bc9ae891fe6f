import Accelerometry
import Counting
import LinuxSensors
import Platform
import Synchronization

extension Reconnecting {
  /// A sensor that may be unplugged: goes on with the same one when it is back. Only cancelling ends it, or an error that
  /// waiting does not heal.
  /// - Parameters:
  ///   - first: the sensor as it was opened.
  ///   - waits: whether to wait while another program keeps it.
  ///   - find: waits until the same sensor is there and may be read; see ``SensorReturn``.
  ///   - joint: makes what fits an element to those before it.
  ///   - reopen: opens it again.
  package static func sensor(
    first: Opened, waits: Bool = false, find: @escaping @Sendable () async throws -> DiscoveredSensor?,
    joint: @escaping @Sendable () -> (_ item: Item, _ isBack: Bool) -> Item,
    reopen: @escaping @Sendable (DiscoveredSensor) throws -> any AsyncSequence<Item, any Error> & Sendable,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) -> Reconnecting {
    // Where it comes back it is read at once; a folder that outlives its sensor by a moment costs little more.
    let policy = Policy(
      backoff: Backoff(first: .milliseconds(200), isPrompt: true), calm: .seconds(1), sleep: sleep
    ) { error, isReading in
      // What keeps a sensor that is back from being read (not permitted yet) may pass, whatever it is.
      (error as? SensorError).map { !isReading || $0.mayPass || waits && $0.kind == .busy } ?? false
    }
    return Reconnecting(first: first, policy: policy, joint: joint) {
      guard let found = try await find() else { return nil }
      let elements = try reopen(found)
      return Opened(name: "\(found.uri) (\(found.name))") { elements }
    }
  }
}

/// Waits for a sensor that was lost: the one of the same `SensorIdentity`, whatever its number and socket.
package final class SensorReturn: Sendable {
  private let sensor: DiscoveredSensor
  /// Where others stand that cannot be told from it but by their place.
  private let placesOfTwins: Set<String>
  private let use: SensorOptions.Use
  private let sensors: @Sendable () throws -> [DiscoveredSensor]
  private let changes: @Sendable () -> SensorReadings<SensorChange>
  /// What was said to be in the way.
  private let told = Mutex<SensorError?>(nil)

  /// - Parameters:
  ///   - others: those that were there beside it. Some makers give all their devices one serial number.
  ///   - sensors: those that are there.
  ///   - changes: something for each change of them.
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

  /// Returns when it is there and may be read; `nil` when the task is cancelled.
  /// - Throws: why it may not be read, once for each reason.
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

/// Keeps time rising over a loss, and says how long it was.
struct TimeLine: Sendable {
  private var latest: Int64?
  private var shift: Int64 = 0

  /// The next samples. A clock that began anew while the sensor was away is set so that time does not run backwards.
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

/// Goes on, after a loss, at the steps and metres that a chip had.
struct StepLine: Sendable {
  private var base = (steps: 0, distance: 0.0)
  private var latest = (steps: 0, distance: 0.0)

  /// The next reading.
  mutating func take(_ reading: StepCounterReading, isBack: Bool) -> StepCounterReading {
    if isBack { base = latest }
    var reading = reading
    reading.steps += base.steps
    reading.distance = reading.distance.map { $0 + base.distance }
    latest = (reading.steps, reading.distance ?? latest.distance)
    return reading
  }
}

/// A sensor as it was opened last.
package final class OpenedSensor: Sendable {
  private let state: Mutex<LinuxAccelerometer>
  init(_ source: LinuxAccelerometer) { state = Mutex(source) }
  package var source: LinuxAccelerometer { state.withLock { $0 } }
  func set(_ source: LinuxAccelerometer) { state.withLock { $0 = source } }
}
