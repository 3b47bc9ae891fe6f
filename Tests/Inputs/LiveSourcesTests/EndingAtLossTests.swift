import Accelerometry
import Counting
import Pedometry
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors
@testable import LiveSources

/// As the chase counts: found, denied, unplugged, back.
@Suite("A live pedometer that ends at a loss", .timeLimit(.minutes(30)))
struct EndingAtLossTests {
  private static let closed = SensorError.permissionDenied(path: "/dev/input/event5", errno: 13, remedy: "ask")
  private static let busy = SensorError.busy(path: "/dev/iio:device0", holders: [])
  private static let removed = SensorError.removed(path: "/dev/iio:device0")

  /// What a test has plugged in, and what its sensors do.
  private final class Desk: SourceKind {
    let sensors: Mutex<[DiscoveredSensor]>
    let opened = Mutex<[String]>([])
    /// The events of a session after its first step.
    let script: [Result<StepCounterReading, SensorError>]

    init(_ sensors: [DiscoveredSensor], then script: [Result<StepCounterReading, SensorError>] = []) {
      self.sensors = Mutex(sensors)
      self.script = script
    }

    func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
      var sources = sources
      let script = Mutex(script[...])
      sources.openSensor = { uri, _ in
        guard let sensor = self.sensors.withLock({ $0.first { $0.uri == uri } }) else { throw SensorSearch.absence }
        self.opened.withLock { $0.append(sensor.name) }
        return SourceConnection(
          uri: sensor.uri, profile: SensorProfile(name: sensor.name, clock: .monotonic), identity: sensor.identity,
          readings: {
            AsyncThrowingStream { readings in
              readings.yield(reading(0))
              readings.yield(reading(1))
              script.withLock { script in
                while let next = script.popFirst() {
                  do { readings.yield(try next.get()) } catch { return readings.finish(throwing: error) }
                }
              }
            }
          })
      }
      return MotionSensor().way(to: uri, for: use, sources)
    }

    func pedometer(_ uri: SourceURI? = .iio("device0"), endsAtLoss: Bool = true) -> LivePedometer {
      var sources = Sources()
      sources.sensors = { self.sensors.withLock { $0 } }
      sources.kinds = [self]
      return LivePedometer(uri, sources, .fixed(0.5), endsAtLoss: endsAtLoss)
    }
  }

  private static func sensor(
    _ device: String, _ name: String = "mine", _ usability: DiscoveredSensor.Usability = .usable
  ) -> DiscoveredSensor {
    DiscoveredSensor(
      uri: .iio(device), name: name, kind: .accelerometer,
      identity: SensorIdentity(bus: "usb", vendor: "1209", product: "7e57", serial: name, part: "accelerometer"),
      folder: SysfsDirectory(path: "/sys/" + device), parents: [], isExternal: true, usability: usability, remarks: [])
  }

  /// The calls of the handlers of a session, up to one that the test waits for.
  private func session(
    _ pedometer: LivePedometer, until isLast: (HandlerLog.Entry) -> Bool
  ) async -> [HandlerLog.Entry] {
    let log = HandlerLog()
    pedometer.start(dataUpdates: { log.note($0, $1) }, eventUpdates: { log.note(event: $0) })
    return await log.entries(until: isLast)
  }

  @Test("a sensor without permission is available and declined; one in use is available, and the start says why")
  func refused() async {
    let declined = Desk([Self.sensor("device0", "mine", .unusable(Self.closed))]).pedometer()
    #expect(declined.pedometerAvailable && declined.permissionDeclined)
    #expect(declined.obstacle?.hasSuffix("; ask") == true)

    let busy = Desk([Self.sensor("device0", "mine", .unusable(Self.busy))]).pedometer()
    #expect(busy.pedometerAvailable && !busy.permissionDeclined)
    let entries = await session(busy) { _ in true }
    guard case .event(let message)? = entries.first else {
      Issue.record("\(entries)")
      return
    }
    #expect(message.contains("is in use by") && busy.sensorFailure?.exitStatus == .busy)
  }

  @Test("a loss ends the session with its error; the next one finds the same sensor under another number")
  func pulledOut() async throws {
    let desk = Desk([Self.sensor("device0")], then: [.failure(Self.removed)])
    let pedometer = desk.pedometer()
    for _ in 0..<2 {
      let entries = await session(pedometer) { if case .dataError = $0 { true } else { false } }
      #expect(entries.prefix(2) == [.started, .data(steps: 1)] && entries.count == 3)
      #expect(pedometer.sensorFailure == Self.removed)
      desk.sensors.withLock { $0 = [Self.sensor("device0", "another"), Self.sensor("device3")] }
    }
    #expect(desk.opened.withLock { $0 } == ["mine", "mine"])
    #expect(pedometer.pedometerAvailable)
  }

  @Test("while its sensor is away, another one under its number is not counted")
  func replaced() async throws {
    let desk = Desk([Self.sensor("device0")])
    let pedometer = desk.pedometer()
    #expect(try await pedometer.find(waits: false)?.uri == .iio("device0"))
    desk.sensors.withLock { $0 = [Self.sensor("device0", "another")] }
    #expect(!pedometer.pedometerAvailable && pedometer.obstacle == "cannot find the sensor; plug it in again")
    let entries = await session(pedometer) { _ in true }
    #expect(entries == [.event("no usable step sensor: cannot find the sensor; plug it in again")])
    #expect(desk.opened.withLock { $0 } == ["mine"])
  }

  @Test("each start forgets the error of the session before it")
  func lateError() async {
    let pedometer = Desk([Self.sensor("device0")], then: [.failure(Self.removed)]).pedometer()
    _ = await session(pedometer) { if case .dataError = $0 { true } else { false } }
    #expect(pedometer.sensorFailure == Self.removed)
    let entries = await session(pedometer) { $0 == .started }
    pedometer.pause()
    #expect(entries == [.started])
  }

  @Test("any other live pedometer waits for its sensor, and continues")
  func waiting() async {
    let desk = Desk([Self.sensor("device0")], then: [.failure(Self.removed)])
    let entries = await session(desk.pedometer(endsAtLoss: false)) { $0 == .data(steps: 2) }
    #expect(entries == [.started, .data(steps: 1), .data(steps: 2)])
  }
}

private func reading(_ step: Int) -> StepCounterReading {
  StepCounterReading(nanoseconds: Int64(step) * 500_000_000, steps: step, newSteps: min(step, 1))
}
