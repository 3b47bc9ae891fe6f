import Foundation
import Platform
import SourceNames
import TestSupport
import Testing

@testable import LinuxSensors

@Suite(
  "Bluetooth sensors on a private bus",
  .enabled(if: FakeBluez.isPossible, "dbus-daemon, python3-dbus or python3-gi is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct BluetoothSensorTests {
  private let bluez: FakeBluez

  init() throws { bluez = try FakeBluez() }

  private func sensor(_ options: String = "") throws -> BluetoothSensor {
    BluetoothSensor(try BluetoothAddress(parsing: FakeBluez.address + options), in: bluez.environment)
  }

  private func error(_ options: String = "") async throws -> SensorError? {
    let readings = try sensor(options).readings().makeAsyncIterator()
    do {
      _ = try await readings.next()
      return nil
    } catch { return error as? SensorError }
  }

  /// Skips readings without new steps.
  private func next(
    _ readings: SensorReadings<StepCounterReading>.Iterator, where isIt: (StepCounterReading) -> Bool
  ) async throws -> StepCounterReading? {
    while let reading = try await readings.next() { if isIt(reading) { return reading } }
    return nil
  }

  @Test("a watch's steps count from its first value, and it is disconnected at the end")
  func watch() async throws {
    try bluez.begin("adapter on", "value \(FakeBluez.steps) 88130000", FakeBluez.watch)
    do {
      let readings = try sensor().readings().makeAsyncIterator()
      let first = try #require(try await readings.next())
      #expect(first.steps == 0 && first.newSteps == 0)
      try bluez.tell("notify \(FakeBluez.steps) 8B130000")
      let second = try #require(try await next(readings) { $0.newSteps > 0 })
      #expect(second.steps == 3)
    }
    try bluez.wait(forCall: "StopNotify")
    try bluez.wait(forCall: "Disconnect")
  }

  @Test(
    "steps that a watch counted while it was out of range are added when it is back; invalid values are ignored")
  func outOfRange() async throws {
    try bluez.begin("adapter on", "value \(FakeBluez.steps) 88130000", FakeBluez.watch)
    let sensor = try sensor()
    let readings = sensor.readings().makeAsyncIterator()
    _ = try await readings.next()
    try bluez.tell("notify \(FakeBluez.steps) 8813")
    let nonsense = try #require(try await next(readings) { $0.warning != nil })
    #expect(nonsense.newSteps == 0 && nonsense.warning?.contains("wrong length") == true)
    try bluez.tell("value \(FakeBluez.steps) 9D130000")
    try bluez.tell("disconnect")
    await #expect {
      while try await readings.next() != nil {}
    } throws: { error in
      guard let error = error as? SensorError, error.code == .disconnected else { return false }
      return error.path.contains("Watch") && error.remedy.contains("wake it up")
    }
    let again = sensor.readings().makeAsyncIterator()
    let back = try #require(try await again.next())
    #expect(back.steps == 21 && back.newSteps == 21)
  }

  @Test("a running speed and cadence sensor that BlueZ does not know is found by a search, and its distance counts")
  func cadence() async throws {
    try bluez.begin("adapter on", FakeBluez.pod.replacing("device", with: "unknown", maxReplacements: 1))
    let readings = try sensor().readings().makeAsyncIterator()
    #expect(try #require(try await readings.next()).steps == 0)
    #expect(bluez.calls.contains("Disconnect") == false)
    try bluez.wait(forCall: "StartDiscovery")
    try bluez.tell("notify \(FakeBluez.cadence) 0200010064000000")
    // Any value other than a heartbeat contains the distance.
    try bluez.tell("notify \(FakeBluez.cadence) 020001FF7B000000")
    let reading = try #require(try await next(readings) { $0.distance.map { $0 > 0 } ?? false })
    #expect(reading.distance.map { ($0 * 10).rounded() } == 23)
  }

  @Test("a refusal by BlueZ is reported with the remedy: pairing, if that is the cause")
  func refusals() async throws {
    try bluez.begin("adapter on", FakeBluez.pod)
    try bluez.tell("fail Connect org.bluez.Error.Failed le-connection-abort-by-local")
    let away = try #require(try await error())
    #expect("\(away)".contains("le-connection-abort-by-local") && away.remedy.contains("wake it up") && away.mayPass)
    try bluez.tell("fail StartNotify org.bluez.Error.NotPermitted Not paired")
    let unpaired = try #require(try await error())
    #expect(unpaired.remedy.contains("bluetoothctl pair \(FakeBluez.address)"))
  }

  @Test("a sensor that BlueZ is about to disconnect for another program is connected again")
  func aboutToDisconnect() throws {
    try bluez.begin(
      "adapter on", "value \(FakeBluez.steps) 88130000", FakeBluez.watch,
      "fail StartNotify org.bluez.Error.NotConnected Not Connected")
    let (machine, stop) = (bluez.environment, try StopSignal())
    // On a thread, because the test blocks until BlueZ is called.
    Thread.detachNewThread {
      let subscription = BluetoothSubscription(address: FakeBluez.address, wanted: [.steps], in: machine)
      _ = try? subscription.begin(until: stop)
      subscription.close()
    }
    try bluez.wait(forCall: "StartNotify")
    try bluez.tell("disconnect")
    try bluez.wait(forCall: "Connect")
    // Only sent for a subscription.
    try bluez.wait(forCall: "StopNotify")
    #expect(bluez.calls.count { $0 == "StartNotify" } == 2)
  }

  @Test("a pending connection is cancelled when the reader stops")
  func pending() throws {
    try bluez.begin("adapter on", "hold", FakeBluez.pod)
    let (machine, stop) = (bluez.environment, try StopSignal())
    // On a thread, because the test blocks until BlueZ is called.
    Thread.detachNewThread {
      let subscription = BluetoothSubscription(
        address: FakeBluez.address, wanted: [.runningSpeedAndCadence], in: machine)
      _ = try? subscription.begin(until: stop)
      subscription.close()
    }
    try bluez.wait(forCall: "Connect")
    stop.raise()
    try bluez.wait(forCall: "Disconnect")
  }

  @Test("a device that cannot count is refused")
  func unsuitable() async throws {
    try bluez.begin("adapter on", "device \(FakeBluez.address) Bulb 0000180f-0000-1000-8000-00805f9b34fb")
    let error = try #require(try await error())
    #expect(error.kind == .unavailable && error.reason.contains("0x1814"))
  }

  @Test("without bluetoothd the remedy is to start it, and the bus is not asked to start it")
  func noService() async throws {
    let error = try #require(try await error())
    #expect(error.reason.contains("bluetoothd is not running") && error.remedy.contains("systemctl start bluetooth"))
    #expect(throws: SensorError.self) { try BluetoothDiscovery(in: bluez.environment).sensors() }
    #expect(!bluez.wasActivated)
  }

  @Test("the end of bluetoothd is a loss")
  func serviceEnds() async throws {
    try bluez.begin("adapter on", FakeBluez.watch)
    let readings = try sensor().readings().makeAsyncIterator()
    _ = try await readings.next()
    try bluez.tell("end")
    await #expect(throws: SensorError.self) { while try await readings.next() != nil {} }
  }

  @Test("a controller that is off is reported with what turns it on")
  func off() async throws {
    try bluez.begin("adapter off", FakeBluez.pod)
    #expect(try await error()?.remedy.contains("bluetoothctl power on") == true)
    try bluez.folder.makeFolder("sys/class/rfkill/rfkill0")
    try bluez.folder.write(Array("bluetooth\n".utf8), to: "sys/class/rfkill/rfkill0/type")
    try bluez.folder.write(Array("1\n".utf8), to: "sys/class/rfkill/rfkill0/soft")
    #expect(try await error()?.remedy.contains("rfkill unblock bluetooth") == true)
    try bluez.folder.write(Array("1\n".utf8), to: "sys/class/rfkill/rfkill0/hard")
    #expect(try await error()?.reason.contains("switch on the computer") == true)
  }

  @Test("sensors that BlueZ knows are listed with their properties; other devices are not")
  func discovery() throws {
    try bluez.begin(
      "adapter on", FakeBluez.watch, "device 00:11:22:33:44:55 Mouse 00001812-0000-1000-8000-00805f9b34fb")
    let sensors = try BluetoothDiscovery(in: bluez.environment).sensors()
    #expect(sensors.map { "\($0.uri)" } == ["ble:\(FakeBluez.address)"])
    let watch = try #require(sensors.first)
    #expect(watch.name == "Watch" && watch.kind == .stepCounter && watch.isUsable)
    #expect(watch.identity.description == "bluetooth:serial=\(FakeBluez.address):steps")
  }

  @Test("without a controller in the kernel, BlueZ is not queried")
  func noAdapter() throws {
    try bluez.begin("adapter on", FakeBluez.watch)
    unsafe rmdir(bluez.folder.path + "/sys/class/bluetooth/hci0")
    let discovery = BluetoothDiscovery(in: bluez.environment)
    #expect(!discovery.hasAdapter)
    #expect(try discovery.sensors().isEmpty)
    #expect(discovery.obstacle?.remedy.contains("bluetoothctl list") == true)
    try bluez.tell("value \(FakeBluez.steps) 00000000")
    #expect(bluez.calls.isEmpty)
  }
}

@Suite("Bluetooth without a bus", .timeLimit(.minutes(30)), .ownThreads)
struct BluetoothAbsenceTests {
  @Test("a missing bus is an error with a remedy")
  func noBus() async throws {
    let machine = try FakeMachine()
    var environment = machine.environment
    environment.systemBus = "unix:path=\(machine.root)/run/nothing"
    let sensor = BluetoothSensor(try BluetoothAddress(parsing: "C0:FF:EE:00:11:22"), in: environment)
    let readings = sensor.readings().makeAsyncIterator()
    await #expect {
      try await readings.next()
    } throws: { ($0 as? SensorError)?.kind == .unavailable }
  }
}
