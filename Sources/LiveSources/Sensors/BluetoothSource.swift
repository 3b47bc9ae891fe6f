import Accelerometry
import Counting
import LinuxSensors
import Platform
import Synchronization

/// A Bluetooth sensor, by its address.
package struct BluetoothSource: SourceKind {
  private let machine: SensorEnvironment

  /// - Parameter machine: where BlueZ is.
  package init(in machine: SensorEnvironment = .machine) { self.machine = machine }

  package func takes(_ uri: SourceURI?) -> Bool { if case .bluetooth? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) throws -> LiveFeed? {
    guard case .bluetooth(let address)? = uri else { return nil }
    let sensor = BluetoothSensor(address, options: opener.options, in: machine)
    let feed = LiveFeed(following: sensor, waits: opener.finder.waits)
    opener.finder.remark("connecting to \(feed.profile.name)")
    return feed
  }
}

extension LiveFeed {
  /// A Bluetooth sensor that ends where it fails.
  package init(_ sensor: BluetoothSensor) {
    self.init(
      sensor, readings: { sensor.readings().map { SourceEvent.element($0) } },
      batches: { sensor.batches().map { SourceEvent.element($0) } })
  }

  /// A Bluetooth sensor that is waited for when it is lost.
  /// - Parameter waits: whether it is waited for at the beginning, too.
  package init(following sensor: BluetoothSensor, waits: Bool) {
    let name = "\(SourceURI.bluetooth(sensor.address))"
    self.init(
      sensor,
      readings: {
        Reconnecting<StepCounterReading>.radio(name, waits: waits, open: sensor.readings) {
          var line = StepLine()
          return { line.take($0, isBack: $1) }
        }
      },
      batches: {
        Reconnecting<SampleBatch>.radio(name, waits: waits, open: sensor.batches) {
          var line = TimeLine()
          return { line.take($0, isBack: $1) }
        }
      })
  }

  private init<Readings: AsyncSequence & Sendable, Batches: AsyncSequence & Sendable>(
    _ sensor: BluetoothSensor, readings: @escaping @Sendable () -> Readings,
    batches: @escaping @Sendable () -> Batches
  )
  where
    Readings.Element == SourceEvent<StepCounterReading>, Batches.Element == SourceEvent<SampleBatch>,
    Batches.Failure == any Error
  {
    let uri = SourceURI.bluetooth(sensor.address)
    if sensor.address.wantsMotion {
      self.init(
        uri: uri, walk: SampleWalk(batches), samples: { batches() }, profile: sensor.profile, identity: sensor.identity)
    } else {
      self.init(uri: uri, walk: ReadingsWalk(readings), profile: sensor.profile, identity: sensor.identity)
    }
  }
}

extension Reconnecting {
  /// A sensor that speaks by radio: it is lost now and then, and goes on when it is back.
  ///
  /// BlueZ takes up to half a minute to find that it is not there, so the waits between two tries stay short.
  /// - Parameters:
  ///   - waits: whether the first try may fail.
  ///   - open: begins to read it.
  ///   - joint: makes what fits an element to those before it.
  static func radio(
    _ name: String, waits: Bool, open: @escaping @Sendable () -> SensorReadings<Item>,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    joint: @escaping @Sendable () -> (_ item: Item, _ isBack: Bool) -> Item
  ) -> Reconnecting {
    let state = RadioState(hasSpoken: waits)
    let policy = Policy(
      backoff: Backoff(first: .milliseconds(500), longest: .seconds(10), isPrompt: true), calm: .seconds(60),
      sleep: sleep
    ) { error, _ in
      // Whatever happens to a sensor that has once spoken may pass: even BlueZ is started anew now and then.
      error is SensorError && state.hasSpoken
    }
    return Reconnecting(
      first: Opened(name: name) { open() }, policy: policy,
      joint: {
        let join = joint()
        return { item, isBack in
          state.speak()
          return join(item, isBack)
        }
      },
      open: { Opened(name: name) { open() } })
  }
}

/// Whether a sensor has ever said anything.
private final class RadioState: Sendable {
  private let state: Mutex<Bool>
  init(hasSpoken: Bool) { state = Mutex(hasSpoken) }
  var hasSpoken: Bool { state.withLock { $0 } }
  func speak() { state.withLock { $0 = true } }
}
