import LinuxSensors
import LiveSources
import Recordings
import ServiceTransport
import SourceNames

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
  /// Opens any other source by name; `nil` if the task was cancelled while waiting for it.
  var open: @Sendable (SourceURI) async throws -> LiveFeed?
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
      messages: messages, isForService: true)
    let options = opener.options
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
      open: { uri in try await opener.open(uri) },
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
