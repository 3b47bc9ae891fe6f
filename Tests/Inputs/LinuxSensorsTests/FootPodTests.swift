import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors

@Suite(
  "A foot pod on a private bus",
  .enabled(if: FakeBluez.isPossible, "dbus-daemon, python3-dbus or python3-gi is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct FootPodTests {
  private let bluez: FakeBluez
  private let stop: StopSignal

  init() throws { (bluez, stop) = (try FakeBluez(), try StopSignal()) }

  /// Offers a foot pod, with fifty measurements a second, while the body runs.
  /// - Returns: how it ended, and the adapter that advertised it.
  @discardableResult private func offering(
    _ adapter: String? = nil, _ body: () throws -> Void
  ) throws -> (error: SensorError?, adapter: String?) {
    let ended = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    let (environment, stop) = (bluez.environment, stop)
    let walk = RunningSpeedCadence(speed: 1.5, cadence: 120, strideLength: 1.5, totalDistance: 100)
    Thread.detachNewThread {
      do throws(SensorError) {
        try FootPod(adapter: adapter, in: environment).serve(
          every: .milliseconds(20), until: stop, ready: { name in outcome.adapter.withLock { $0 = name } },
          measure: { walk })
      } catch { outcome.error.withLock { $0 = error } }
      ended.signal()
    }
    do { try body() } catch {
      stop.raise()
      ended.wait()
      throw error
    }
    ended.wait()
    return (outcome.error.withLock { $0 }, outcome.adapter.withLock { $0 })
  }

  private final class Outcome: Sendable {
    let error = Mutex<SensorError?>(nil)
    let adapter = Mutex<String?>(nil)
  }

  @Test("BlueZ gets the service's characteristics and the advertisement, and both are withdrawn at the end")
  func registered() throws {
    try bluez.begin("adapter on")
    let (error, adapter) = try offering {
      #expect(try bluez.line(beginning: "characteristic") == "2a55 write,indicate ")
      #expect(try bluez.line(beginning: "characteristic") == "2a54 read 0300")
      #expect(try bluez.line(beginning: "characteristic") == "2a5d read 00")
      #expect(try bluez.line(beginning: "characteristic") == "2a53 notify 03000000000000000000")
      let advertisement = try bluez.line(beginning: "advertisement")
      #expect(advertisement == "Pedometer 00001814-0000-1000-8000-00805f9b34fb 1088")
      try bluez.tell("ask ReadValue 2a54")
      #expect(try bluez.line(beginning: "answer") == "ReadValue 0300")
      try bluez.tell("ask ReadValue 2a5d")
      #expect(try bluez.line(beginning: "answer") == "ReadValue 00")
      try bluez.tell("ask ReadValue 2a53")
      #expect(try bluez.line(beginning: "refusal") == "ReadValue org.freedesktop.DBus.Error.UnknownMethod")
      stop.raise()
      try bluez.wait(forCall: "UnregisterAdvertisement")
      try bluez.wait(forCall: "UnregisterApplication")
    }
    #expect(error == nil && adapter == "hci0")
  }

  @Test("measurements are sent while there is a subscriber, also when they do not change")
  func notified() throws {
    try bluez.begin("adapter on")
    try offering {
      _ = try bluez.line(beginning: "advertisement")
      try bluez.tell("ask StartNotify 2a53")
      for _ in 0..<3 { #expect(try bluez.line(beginning: "value") == "2a53 038001789600e8030000") }
      try bluez.tell("ask StopNotify 2a53")
      _ = try bluez.line(beginning: "answer StopNotify")
      // Answers are in the order of the requests, so a measurement would come before the second one.
      try bluez.tell("ask ReadValue 2a54")
      _ = try bluez.line(beginning: "answer ReadValue")
      stop.raise()
      try bluez.wait(forCall: "UnregisterApplication")
    }
  }

  @Test("a receiver sets the total distance by the control point; other requests are refused")
  func control() throws {
    try bluez.begin("adapter on")
    try offering {
      _ = try bluez.line(beginning: "advertisement")
      for (request, answer) in [("0205", "100202"), ("01ff", "100103"), ("0110270000", "100101")] {
        try bluez.tell("ask WriteValue 2a55 \(request)")
        #expect(try bluez.line(beginning: "value") == "2a55 \(answer)")
      }
      try bluez.tell("ask StartNotify 2a53")
      // 1000 m, and the distance since then.
      #expect(try bluez.line(beginning: "value") == "2a53 03800178960010270000")
      stop.raise()
    }
  }

  @Test(
    "without an adapter, with one that is off, that cannot advertise, or of another name: an error with its remedy",
    arguments: [
      ("", nil, "no Bluetooth adapter", "plug in"), ("adapter off", nil, "is off", "bluetoothctl power on"),
      ("adapter plain", nil, "cannot advertise", "Bluetooth 4.0"),
      ("adapter on", "hci7", "hci7", "bluetoothctl list"),
      ("adapter off", "00:00:00:00:00:01", "is off", "bluetoothctl power on"),
      (
        "fail RegisterAdvertisement org.bluez.Error.NotPermitted Maximum advertisements reached", nil,
        "refuses the advertisement: Maximum advertisements reached", "another program"
      ),
      (
        "fail RegisterApplication org.bluez.Error.Failed No object received", nil,
        "refuses the application: No object received", "journalctl"
      ),
      (
        "fail RegisterApplication org.freedesktop.DBus.Error.AccessDenied no", nil, "ermission denied",
        "group bluetooth"
      ),
    ] as [(String, String?, String, String)])
  func hindered(_ command: String, _ adapter: String?, _ reason: String, _ remedy: String) throws {
    try bluez.begin()
    if command.hasPrefix("fail") { try bluez.tell("adapter on") }
    if !command.isEmpty { try bluez.tell(command) }
    let (error, ready) = try offering(adapter) {}
    #expect(
      error?.reason.contains(reason) == true && error?.remedy.contains(remedy) == true, "\(String(describing: error))")
    #expect(ready == nil)
  }

  @Test(
    "the end of bluetoothd or of the advertisement, and an adapter that is turned off, end it with the remedy",
    arguments: [
      ("end", "bluetoothd is not running", "systemctl start bluetooth"), ("power off", "is off", "power on"),
      ("release", "ended the advertisement", "systemctl start bluetooth"),
    ])
  func lost(_ command: String, _ reason: String, _ remedy: String) throws {
    try bluez.begin("adapter on")
    let (error, _) = try offering {
      _ = try bluez.line(beginning: "advertisement")
      try bluez.tell("ask StartNotify 2a53")
      _ = try bluez.line(beginning: "value")
      try bluez.tell(command)
    }
    #expect(
      error?.reason.contains(reason) == true && error?.remedy.contains(remedy) == true, "\(String(describing: error))")
  }
}
