import ChaseEngine
import LiveSources
import Pedometry
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors

/// A live sensor behind the founding protocol: found, denied, unplugged, back.
@Suite("SensorPedometer", .timeLimit(.minutes(30)))
struct SensorPedometerTests {
  private static let closed = SensorError.permissionDenied(path: "/dev/input/event5", errno: 13, remedy: "ask")
  private static let busy = SensorError.busy(path: "/dev/iio:device0", holders: [])
  private static let removed = SensorError.removed(path: "/dev/iio:device0")

  /// A sensor controlled by the test.
  private final class Machine: Sendable {
    let presence = Mutex(SensorPresence.there(.iio("device0")))
    let opened = Mutex<[SourceURI]>([])
    let mock = MockPedometer()

    func pedometer(refusing error: SensorError? = nil) -> SensorPedometer {
      SensorPedometer(
        locate: { self.presence.withLock { $0 } },
        open: { uri throws(SensorError) in
          self.opened.withLock { $0.append(uri) }
          if let error { throw error }
          return self.mock
        })
    }
  }

  private func chase(_ pedometer: SensorPedometer) throws -> AppModel {
    let model = AppModel(pedometer: pedometer, sampleTiming: .arrival)
    try model.dataModel.setGoal(100)
    try model.start()
    model.advance(to: model.now)
    return model
  }

  @Test("without the sensor the chase reports that there is none, and does not begin")
  func missing() throws {
    let machine = Machine()
    machine.presence.withLock { $0 = .missing }
    let model = try chase(machine.pedometer())
    #expect(model.appState == .notStarted)
    #expect(model.alertCenter.topAlert == .noPedometer)
    #expect(model.alertCenter.topAlert?.detail == "cannot find the sensor; plug it in again")
    #expect(machine.opened.withLock { $0 } == [])
  }

  @Test("a sensor without permission is available and declined, and nothing is opened")
  func declined() throws {
    let machine = Machine()
    machine.presence.withLock { $0 = .refused(Self.closed) }
    let pedometer = machine.pedometer()
    #expect(pedometer.pedometerAvailable && pedometer.permissionDeclined)
    let model = try chase(pedometer)
    #expect(model.appState == .notStarted)
    #expect(model.alertCenter.topAlert == .notAuthorized)
    #expect(model.alertCenter.topAlert?.detail?.hasSuffix("; ask") == true)
  }

  @Test("a sensor in use begins and is paused with the reason, and the exit code is that of busy")
  func busy() throws {
    let machine = Machine()
    machine.presence.withLock { $0 = .refused(Self.busy) }
    let pedometer = machine.pedometer()
    #expect(pedometer.pedometerAvailable && !pedometer.permissionDeclined)
    let model = try chase(pedometer)
    #expect(model.appState == .paused)
    #expect(pedometer.lastError?.exitStatus == .busy)
    #expect(model.alertCenter.topAlert == .dataAlert)
    #expect(model.alertCenter.topAlert?.detail?.contains("is in use by") == true)
  }

  @Test("the error of opening is reported in words; permission lost at that moment is a missing permission")
  func opening() throws {
    let machine = Machine()
    let pedometer = machine.pedometer(refusing: Self.closed)
    let model = try chase(pedometer)
    #expect(model.appState == .paused)
    #expect(model.alertCenter.topAlert == .notAuthorized)
    #expect(pedometer.lastError?.exitStatus == .permission)
    let gone = try chase(Machine().pedometer(refusing: .notFound(name: "it", remedy: "look")))
    #expect(gone.alertCenter.topAlert == .noPedometer)
  }

  @Test("unplugged during the chase: the data alert, and a pause; replugged under another number it starts from zero")
  func pulledOut() throws {
    let machine = Machine()
    let model = try chase(machine.pedometer())
    machine.mock.sendData(MockData(steps: 10, distanceTravelled: 7))
    model.advance(to: .seconds(5))
    #expect(model.dataModel.steps == 10)
    machine.mock.error = Self.removed
    machine.mock.sendData(nil)
    model.advance(to: .seconds(6))
    #expect(model.appState == .paused)
    #expect(model.alertCenter.topAlert == .dataAlert)
    #expect(model.alertCenter.topAlert?.detail?.contains("was unplugged") == true)
    let swum = model.dataModel.nessie.distance
    model.advance(to: .seconds(600))
    #expect(model.dataModel.nessie.distance == swum)

    machine.mock.error = nil
    machine.presence.withLock { $0 = .there(.iio("device3")) }
    try model.start()
    #expect(machine.opened.withLock { $0 } == [.iio("device0"), .iio("device3")])
    machine.mock.sendData(MockData(steps: 4, distanceTravelled: 3))
    model.advance(to: .seconds(602))
    #expect(model.appState == .inProgress)
    #expect(model.dataModel.steps == 14)
  }

  @Test("a pause pauses the opened pedometer, and only once")
  func pause() {
    let machine = Machine()
    let pedometer = machine.pedometer()
    pedometer.start(dataUpdates: { _, _ in }, eventUpdates: { _ in })
    #expect(machine.mock.isRunning)
    pedometer.pause()
    #expect(!machine.mock.isRunning && machine.mock.pauseCalled == 1)
    pedometer.pause()
    #expect(machine.mock.pauseCalled == 1)
  }

  @Test("a start pauses the session before it, whose late error is not the last one")
  func lateError() {
    let machine = Machine()
    let pedometer = machine.pedometer()
    pedometer.start(dataUpdates: { _, _ in }, eventUpdates: { _ in })
    machine.mock.sendEvent(Self.busy)
    #expect(pedometer.lastError == Self.busy)
    pedometer.start(dataUpdates: { _, _ in }, eventUpdates: { _ in })
    #expect(machine.mock.pauseCalled == 1 && pedometer.lastError == nil)
    machine.mock.sendEvent(Self.removed, session: 0)
    #expect(pedometer.lastError == nil)
    machine.mock.sendEvent(Self.removed, session: 1)
    #expect(pedometer.lastError == Self.removed)
    pedometer.pause()
    #expect(pedometer.lastError == Self.removed)
  }

  @Test("the best sensor is chosen; if none is permitted, one that a permission would open")
  func choosing() {
    func sensor(_ name: String, _ usability: DiscoveredSensor.Usability) -> DiscoveredSensor {
      DiscoveredSensor(
        uri: .iio(name), name: name, kind: .accelerometer,
        identity: SensorIdentity(bus: "usb", vendor: "1209", product: "7e57", serial: name, part: "accelerometer"),
        folder: SysfsDirectory(path: "/sys/" + name), parents: [], isExternal: true, usability: usability, remarks: [])
    }
    let broken = sensor("device0", .unusable(.nonsense(path: "/p", text: "x", expected: "y")))
    let closed = sensor("device1", .unusable(Self.closed))
    let open = sensor("device2", .usable)
    #expect(SensorOpening.choose(among: [broken, closed, open]) == open)
    #expect(SensorOpening.choose(among: [broken, closed]) == closed)
    #expect(SensorOpening.choose(among: [broken]) == nil)
  }
}
