import Foundation
import LinuxSensors
import Pedometry
import ServiceCore
import ServiceSettings
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceMessaging

@Suite(
  "The foot pod of the service",
  .enabled(if: FakeBluez.isPossible, "dbus-daemon, python3-dbus or python3-gi is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct FootPodServiceTests {
  private let clock = ManualClock()
  private let log = LogLines()
  private let status = FootPodStatus()

  private func settings(_ text: String) throws -> FootPodSettings? {
    var given = GivenSettings()
    given.give(.footPod, option: [text])
    return try FootPodSettings(given)
  }

  @Test("it is registered again when bluetoothd is back; log, health and checks say why it is not offered")
  func restarted() async throws {
    let bluez = try FakeBluez()
    let service = FootPodService(
      try #require(try settings("on")), in: bluez.environment, clock: .manual(clock), interval: .milliseconds(20),
      status: status, logger: log.logger
    ) { [] }
    #expect(status.json == nil && status.check == nil)
    let task = Task { try await service.run() }
    await clock.waitForSleepers()
    #expect(
      status.json?.contains(#""state":"hindered","reason":"Bluetooth cannot be used: bluetoothd is not running"#)
        == true)
    #expect(status.check?.result == .warning && status.check?.remedy?.contains("systemctl start bluetooth") == true)
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers()
    let reasons = { log.all.filter { $0.contains("bluetoothd is not running") } }
    #expect(reasons().count == 1 && reasons()[0].contains("trying again"), "the same reason is told once: \(log.all)")
    try bluez.begin("adapter on")
    clock.advance(by: .seconds(2))
    _ = try bluez.line(beginning: "advertisement")
    try bluez.tell("ask StartNotify 2a53")
    #expect(try bluez.line(beginning: "value") == "2a53 03000000000000000000")
    #expect(status.json == #"{"state":"advertised","adapter":"hci0"}"#)
    #expect(status.check?.result == .ok)
    try bluez.tell("end")
    await clock.waitForSleepers()
    try bluez.begin("adapter on")
    clock.advance(by: .seconds(4))
    _ = try bluez.line(beginning: "advertisement")
    // A measurement follows the message in the log.
    try bluez.tell("ask StartNotify 2a53")
    _ = try bluez.line(beginning: "value")
    task.cancel()
    try bluez.wait(forCall: "UnregisterApplication")
    try await task.value
    #expect(status.json == nil)
    #expect(reasons().count == 2, "each loss is told: \(log.all)")
    #expect(log.all.filter { $0.contains("foot pod: hci0 advertises Pedometer") }.count == 2)
  }

  @Test("pedometerd --foot-pod on counts a walk and reports its cadence on the system bus of the environment")
  func daemon() throws {
    let bluez = try FakeBluez()
    try bluez.begin("adapter on")
    let state = try TemporaryDirectory()
    let daemon = try Executable.built("pedometerd").start(
      [
        "--state", state.path, "--listen", "127.0.0.1:0", "--foot-pod", "on", "--source",
        "synthetic:cadence=120,duration=6000",
      ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": try #require(bluez.environment.systemBus)])
    _ = try bluez.line(beginning: "advertisement")
    try bluez.tell("ask StartNotify 2a53")
    var value = ""
    repeat { value = try bluez.line(beginning: "value") } while value.hasPrefix("2a53 03000000")
    let bytes = stride(from: 5, to: value.count, by: 2).compactMap { start in
      UInt8(value.dropFirst(start).prefix(2), radix: 16)
    }
    let measurement = try #require(RunningSpeedCadence(bytes))
    #expect((105...135).contains(measurement.cadence), "\(measurement)")
    #expect(measurement.strideLength.map { (1.0...2.0).contains($0) } == true && measurement.totalDistance != nil)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().ending == .exit(0))
    try bluez.wait(forCall: "UnregisterApplication")
  }

  @Test("on, off and adapters are read; anything else is an error that names the choices")
  func setting() throws {
    #expect(try settings("on")?.adapter == nil && settings("on") != nil && settings("true") != nil)
    #expect(try settings("off") == nil && settings("false") == nil && FootPodSettings(GivenSettings()) == nil)
    #expect(try settings("hci1")?.adapter == "hci1")
    #expect(try settings("00:1a:7D:da:71:13")?.adapter == "00:1a:7D:da:71:13")
    for text in ["", "yes", "hci", "hci-1", "00:1a:7D:da:71", "00:1a:7D:da:71:1g"] {
      #expect { try settings(text) } throws: {
        "\($0)".contains("'\(text)' is neither on, off nor a Bluetooth adapter")
      }
    }
  }
}
