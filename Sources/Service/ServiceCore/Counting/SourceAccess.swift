import Accelerometry
import LinuxSensors
import LiveSources
import Recordings
import ServiceTransport
import Synchronization

/// Everything the service needs to open its sources. It accesses the machine only here; tests script it.
package struct SourceAccess: Sendable {
  /// All sensors, usable or not.
  package var sensors: @Sendable () throws -> [DiscoveredSensor]
  /// Bluetooth sensors that BlueZ knows.
  package var wirelessSensors: @Sendable () throws -> [DiscoveredSensor] = { [] }
  /// Emits after each change of the sensors: plugged in, removed, permissions.
  package var changes: @Sendable () -> AsyncThrowingStream<Void, any Error>
  /// The same for boards on serial ports.
  var boardChanges: @Sendable () -> AsyncThrowingStream<Void, any Error> = { AsyncThrowingStream { $0.finish() } }
  /// Opens a discovered sensor.
  var openSensor: @Sendable (DiscoveredSensor) throws -> LiveFeed
  /// Opens a sensor that udev does not know, by name.
  var openUnlisted: @Sendable (SourceURI) throws -> LiveFeed
  /// Opens a recording or a synthetic walk.
  var openRecording: @Sendable (SourceURI) async throws -> LiveFeed?
  /// The purpose of sensors, which determines the best one.
  package var use = SensorOptions.Use.thrifty

  /// The sensors of this computer.
  /// - Parameters:
  ///   - reading: options for sources that do not describe themselves.
  ///   - messages: receives the messages of WebSocket servers and MQTT brokers.
  package static func machine(
    use: SensorOptions.Use, reading: RecordingOptions, messages: any MessageClient
  ) -> SourceAccess {
    let opener = LiveOpener(
      reading: reading, options: SensorOptions(use: use), finder: SensorFinder(use: use, waits: false),
      messages: messages, walksOn: true)
    let options = opener.options
    let radios = Registry { (address: BluetoothAddress) in BluetoothSensor(address, options: options) }
    let phones = Registry { (address: PhyphoxAddress) in PhyphoxExperiment(address, for: opener) }
    return SourceAccess(
      sensors: { try SensorDiscovery().sensors() },
      wirelessSensors: { try BluetoothDiscovery().sensors() },
      changes: { notices { SensorDiscovery().changes() } },
      boardChanges: { notices { SensorDiscovery().boardChanges() } },
      openSensor: { sensor in
        // The runner detects a loss and searches for the sensor again.
        LiveFeed(
          uri: sensor.uri, sensor: try SensorSource.open(sensor.uri, options: options), identity: sensor.identity
        ).besideBarometer(of: sensor)
      },
      openUnlisted: { uri in
        switch uri {
        case .serial(let address): try SerialBoard().feed(address, for: opener, follows: false)
        case .bluetooth(let address): LiveFeed(radios[address])
        case .udp(let address): DatagramSource().feed(address, for: opener, follows: false)
        case .webSocket(let address): try WebSocketSource().feed(address, for: opener, follows: false)
        case .mqtt(let address): try MQTTSource().feed(address, for: opener, follows: false)
        case .phyphox(let address): LiveFeed(phones[address])
        default: LiveFeed(uri: uri, sensor: try MotionSensor.source(uri, options))
        }
      },
      openRecording: { uri in try await opener.open(uri) },
      use: use)
  }

  private static func notices(
    of changes: @escaping @Sendable () -> SensorReadings<SensorChange>
  ) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { notices in
      let listening = Task {
        do {
          for try await _ in changes() { notices.yield() }
          notices.finish()
        } catch {
          notices.finish(throwing: error)
        }
      }
      notices.onTermination = { _ in listening.cancel() }
    }
  }
}

/// The sources that were opened. Each remembers what continues after a loss: a watch its count, a phone up to where it
/// was read.
private final class Registry<Address: Hashable & Sendable, Source: Sendable>: Sendable {
  private let known = Mutex<[Address: Source]>([:])
  private let make: @Sendable (Address) -> Source

  init(_ make: @escaping @Sendable (Address) -> Source) { self.make = make }

  subscript(address: Address) -> Source {
    known.withLock { known in
      let source = known[address] ?? make(address)
      known[address] = source
      return source
    }
  }
}
