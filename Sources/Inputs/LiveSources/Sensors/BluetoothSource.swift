import Accelerometry
import Counting
import LinuxSensors
import Platform
import SourceNames
import Synchronization

/// A Bluetooth sensor, selected by address.
package struct BluetoothSource: SourceKind {
  private let machine: SensorEnvironment
  /// A watch continues its count when the service opens it again.
  private let known = OpenedSources<BluetoothAddress, BluetoothSensor>()

  /// - Parameter machine: how to reach BlueZ.
  package init(in machine: SensorEnvironment = .machine) { self.machine = machine }

  package func takes(_ uri: SourceURI?) -> Bool { if case .bluetooth? = uri { true } else { false } }

  package func open(_ uri: SourceURI?, for opener: LiveOpener) throws -> LiveFeed? {
    guard case .bluetooth(let address)? = uri else { return nil }
    let make = { BluetoothSensor(address, options: opener.options, in: machine) }
    let sensor = opener.isForService ? known.source(address, make) : make()
    let feed = LiveFeed(sensor, isForService: opener.isForService, waits: opener.finder.waits)
    if !opener.isForService { opener.finder.remark("connecting to \(feed.profile.name)") }
    return feed
  }
}

extension LiveFeed {
  /// A Bluetooth sensor.
  /// - Parameters:
  ///   - isForService: whether the feed ends with the sensor's first error; otherwise it is reopened when it is lost.
  ///   - waits: whether the first attempt may fail as well.
  package init(_ sensor: BluetoothSensor, isForService: Bool, waits: Bool) {
    let uri = SourceURI.bluetooth(sensor.address)
    if sensor.address.wantsMotion {
      self.init(
        uri: uri, profile: sensor.profile, identity: sensor.identity, isForService: isForService,
        batches: { sensor.batches() },
        following: {
          Reconnecting<SampleBatch>.radio(
            "\(uri)", waits: waits, open: { sensor.batches() }, joint: TextFeed.joint)
        })
      return
    }
    let walk: any WalkSource =
      if isForService {
        ReadingsWalk { sensor.readings().map { .element($0) } }
      } else {
        ReadingsWalk {
          Reconnecting<StepCounterReading>.radio("\(uri)", waits: waits, open: { sensor.readings() }) {
            var line = StepLine()
            return { line.take($0, isBack: $1) }
          }
        }
      }
    self.init(uri: uri, walk: walk, profile: sensor.profile, identity: sensor.identity)
  }
}

extension Reconnecting {
  /// A wireless sensor, which is lost occasionally and continues when it is back.
  ///
  /// BlueZ takes up to half a minute to detect an absent sensor, so the waits between two attempts are short.
  /// - Parameters:
  ///   - waits: whether the first attempt may fail.
  ///   - first: starts reading for the first time; `nil`: as later.
  ///   - open: starts reading.
  ///   - speaks: whether an element shows that the sensor works.
  ///   - joint: adapts an element to the previous ones.
  static func radio(
    _ name: String, waits: Bool, first: (@Sendable () -> any AsyncSequence<Item, any Error>)? = nil,
    open: @escaping @Sendable () -> any AsyncSequence<Item, any Error>,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    speaks: @escaping @Sendable (Item) -> Bool = { _ in true },
    joint: @escaping @Sendable () -> (_ item: Item, _ isBack: Bool) -> Item
  ) -> Reconnecting {
    let state = RadioState(hasSpoken: waits)
    let policy = Policy(
      backoff: Backoff(first: .milliseconds(500), longest: .seconds(10), isPrompt: true), calm: .seconds(60),
      sleep: sleep
    ) { error, _ in
      // Once a sensor has delivered data, every error may be temporary: even BlueZ is restarted occasionally.
      error is SensorError && state.hasSpoken
    }
    return Reconnecting(
      first: Opened(name: name) { first?() ?? open() }, policy: policy,
      joint: {
        let join = joint()
        return { item, isBack in
          if speaks(item) { state.speak() }
          return join(item, isBack)
        }
      },
      open: { Opened(name: name) { open() } })
  }
}

/// Whether a sensor has delivered data.
private final class RadioState: Sendable {
  private let state: Mutex<Bool>
  init(hasSpoken: Bool) { state = Mutex(hasSpoken) }
  var hasSpoken: Bool { state.withLock { $0 } }
  func speak() { state.withLock { $0 = true } }
}
