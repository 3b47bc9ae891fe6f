import Accelerometry
import LinuxSensors
import LiveSources
import Recordings
import Synchronization

/// What the service needs to come to its sources: the one place where it touches the machine, and where tests script one.
struct SourceAccess: Sendable {
  /// Every sensor that is there, usable or not.
  var sensors: @Sendable () throws -> [DiscoveredSensor]
  /// Bluetooth sensors that BlueZ knows.
  var wirelessSensors: @Sendable () throws -> [DiscoveredSensor] = { [] }
  /// Something about the sensors has changed: plugged in, gone, permitted.
  var changes: @Sendable () -> AsyncThrowingStream<Void, any Error>
  /// The same of boards on serial ports.
  var boardChanges: @Sendable () -> AsyncThrowingStream<Void, any Error> = { AsyncThrowingStream { $0.finish() } }
  /// Opens a sensor that was found.
  var openSensor: @Sendable (DiscoveredSensor) throws -> LiveFeed
  /// Opens a sensor that udev does not know, by its name.
  var openUnlisted: @Sendable (SourceURI) throws -> LiveFeed
  /// Opens a recording or a made-up walk.
  var openRecording: @Sendable (SourceURI) async throws -> LiveFeed?
  /// What sensors are for; says which is best.
  var use = SensorOptions.Use.thrifty

  /// This computer's sensors.
  /// - Parameter reading: what the user knows of sources that state it wrongly or not at all.
  static func machine(use: SensorOptions.Use, reading: RecordingOptions = RecordingOptions()) -> SourceAccess {
    let opener = LiveOpener(
      reading: reading, options: SensorOptions(use: use), finder: SensorFinder(use: use, waits: false))
    let options = opener.options
    let radios = BluetoothSensors()
    return SourceAccess(
      sensors: { try SensorDiscovery().sensors() },
      wirelessSensors: { try BluetoothDiscovery().sensors() },
      changes: { notices { SensorDiscovery().changes() } },
      boardChanges: { notices { SensorDiscovery().boardChanges() } },
      openSensor: { sensor in
        // A loss is seen by the runner, which then looks for the sensor anew.
        LiveFeed(
          uri: sensor.uri, sensor: try SensorSource.open(sensor.uri, options: options), identity: sensor.identity
        ).besideBarometer(of: sensor)
      },
      openUnlisted: { uri in
        switch uri {
        case .serial(let address): try SerialBoard().feed(address, for: opener, follows: false)
        case .bluetooth(let address): LiveFeed(radios.sensor(address, options))
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

/// The Bluetooth sensors that were opened: each remembers what its watch had counted when it was lost.
private final class BluetoothSensors: Sendable {
  private let known = Mutex<[BluetoothAddress: BluetoothSensor]>([:])

  func sensor(_ address: BluetoothAddress, _ options: SensorOptions) -> BluetoothSensor {
    known.withLock { known in
      let sensor = known[address] ?? BluetoothSensor(address, options: options)
      known[address] = sensor
      return sensor
    }
  }
}
