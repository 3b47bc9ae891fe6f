import Foundation
import TestSupport
import Testing

/// `devices`, `doctor`, `live` and `record` on recorded devices.
@Suite(
  "Commands on recorded devices", .enabled(if: MockedDevices.isPossible, "umockdev is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct DeviceCommandTests {
  private struct Device: Decodable {
    var source: String
    var kind: String
    var usable: Bool
    var mode: String?
    var reason: String?
    var remedy: String?
    var serial: String?
    var samplingFrequency: Double?
    var range: Double?
    var node: String?
  }

  private struct Check: Decodable {
    var check: String
    var result: String
    var finding: String
    var remedy: String?
  }

  private static func decoded<T: Decodable>(_ transcript: Transcript, as type: T.Type) throws -> [T] {
    try transcript.outputLines.map { try JSONDecoder().decode(T.self, from: Data($0.utf8)) }
  }

  @Test("devices lists each sensor with its name, rate, range, node, identity and use")
  func devices() throws {
    let transcript = try MockedDevices.all.run(["devices", "--format", "json"])
    #expect(transcript.ending == .exit(0) && transcript.errors == "")
    let devices = try Self.decoded(transcript, as: Device.self)
    #expect(
      devices.map(\.source) == [
        "counter:device1", "evdev:/dev/input/event1", "evdev:/dev/input/event2", "iio:device0", "iio:device1",
        "iio:device2",
      ])
    #expect(devices.map(\.mode) == ["counter", "events", "events", "buffer", "polling", "polling"])
    #expect(devices[3].serial == "lab-accel-1" && devices[3].samplingFrequency == 50)
    #expect(devices[2].range == 4 && devices[2].node == "/dev/input/event2")
    #expect(devices[5].reason?.contains("trigger") == true && devices[5].remedy?.contains("iio-trig-hrtimer") == true)
  }

  @Test("devices as text and CSV have the same content")
  func formats() throws {
    let text = try MockedDevices.all.run(["devices"]).output
    #expect(text.contains("iio:device0  accel_3d\n  accelerometer at 50 Hz, ±32.8 g\n"))
    #expect(text.contains("usb 1209:7e57, serial lab-accel-1"))
    #expect(text.contains("usable by polling only"))
    let csv = try MockedDevices.all.run(["devices", "--format", "csv"]).outputLines
    #expect(csv.count == 7 && csv[4].hasPrefix("iio:device0,accel_3d,accelerometer,true,buffer,,,50,32.767,"))
  }

  @Test("a machine without sensors lists nothing and prints the remedy; doctor and live end with 69")
  func none() throws {
    let devices = try MockedDevices().run(["devices", "--format", "json"])
    #expect(devices.ending == .exit(0) && devices.output == "" && devices.errors.contains("plug in"))
    #expect(try MockedDevices().run(["doctor"]).ending == .exit(69))
    let live = try MockedDevices().run(["live", "--format", "json"])
    #expect(live.ending == .exit(69) && live.output == "" && live.errorLines.count == 1)
  }

  @Test(
    "live and record say that they wait for a sensor, and give up after --duration",
    arguments: [["live"], ["live", "iio:device7"], ["live", "serial:/dev/ttyACM7"], ["record", "-o", "-"]])
  func waits(_ arguments: [String]) throws {
    let transcript = try MockedDevices().run(arguments + ["--wait", "--duration", "0.5"])
    #expect(transcript.ending == .exit(69) && transcript.output == "", "\(transcript)")
    #expect(transcript.errors.contains("waiting for"), "\(transcript.errors)")
    #expect(transcript.errors.contains("no sensor appeared in the time of --duration"), "\(transcript.errors)")
  }

  @Test("a node without permission is listed as denied; live and doctor end with 77 and name rule and group")
  func denied() throws {
    let machine = MockedDevices.closed("uinput-accelerometer", node: "/dev/input/event1")
    let devices = try Self.decoded(machine.run(["devices", "--format", "json"]), as: Device.self)
    #expect(devices.map(\.usable) == [false] && devices[0].remedy?.contains("72-pedometer.rules") == true)
    for arguments in [["live", "evdev:/dev/input/event1"], ["live"], ["record", "-o", "-"]] {
      let transcript = try machine.run(arguments)
      #expect(transcript.ending == .exit(77))
      #expect(transcript.errors.contains("udev rule") && transcript.errors.contains("group pedometer"))
    }
    let doctor = try machine.run(["doctor", "--format", "json"])
    #expect(doctor.ending == .exit(77))
    let checks = try Self.decoded(doctor, as: Check.self)
    #expect(checks.last?.check == "evdev:/dev/input/event1" && checks.last?.result == "failed")
    #expect(checks.filter { $0.result != "ok" }.allSatisfy { $0.remedy != nil })
  }

  @Test("an IIO node without permission is polled, and started explains how to get the buffer")
  func polled() throws {
    let machine = MockedDevices.closed("hid-sensor-hub", node: "/dev/iio:device0")
    let transcript = try machine.run(["live", "--duration", "0.3", "--format", "json"])
    let lines = try LiveLines(transcript)
    #expect(transcript.ending == .exit(0) && (lines.total?.samples ?? 0) > 5)
    let message = lines.all.first?.message ?? ""
    #expect(message.contains("polled at 50 Hz") && message.contains("72-pedometer.rules"))
  }

  @Test("live and record find the same steps in the hub's buffer, without a named sensor")
  func hub() throws {
    let live = try LiveLines(MockedDevices.hub.run(["live", "--format", "json", "--duration", "28"]))
    #expect(live.total?.steps == 40 && live.total?.source == "iio:device0")
    let directory = try TemporaryDirectory()
    let path = directory.path + "/walk.csv"
    let record = try MockedDevices.hub.run(["record", "-o", path, "--duration", "28"])
    #expect(record.ending == .exit(0))
    let text = try TemporaryDirectory.text(of: path)
    #expect(text.contains("# identity: usb:1209:7e57:serial=lab-accel-1:accel_3d/accelerometer\n"))
    #expect(text.contains("# scale applied [g per count]: 0.001, 0.001, 0.001\n"))
    #expect(text.contains("# clock: boottime + ") && text.contains("# mount matrix applied: "))
    let count = try Executable.built("pedometer").run(["count", path])
    #expect(count.output.contains(": 40 steps") && count.errors == "")
  }

  @Test("raw scans of the hub's buffer give the same count as its samples, by the device")
  func rawScans() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/walk.iio"
    var machine = MockedDevices.hub
    machine.before = "timeout 28 cat /dev/iio:device0 > \(path)"
    #expect(try machine.run(["--version"]).exitCode == 0)
    let pedometer = try Executable.built("pedometer")
    let refused = try pedometer.run(["count", path])
    #expect(refused.ending == .exit(65) && refused.output == "" && refused.errors.contains("--format-of iio:deviceN"))
    let read = try MockedDevices(recordings: ["hid-sensor-hub"]).run(["count", "--format-of", "iio:device0", path])
    #expect(read.output.contains(": 40 steps"))
    #expect(try pedometer.run(["count", "--format-of", "iio:device77", path]).ending == .exit(69))
  }

  @Test("a hardware step counter begins at no steps, and cannot be recorded")
  func counter() throws {
    let machine = MockedDevices(recordings: ["bma400"])
    let lines = try LiveLines(
      machine.run(["live", "counter:device1", "--format", "json", "--interval", "1", "--duration", "0.2"]))
    #expect(lines.events == ["started", "stopped"] && lines.data.first?.steps == 0 && lines.total?.steps == 0)
    #expect(try machine.run(["record", "counter:device1", "-o", "-"]).ending == .exit(64))
  }

  @Test("doctor checks subsystems, udev, rule, group, trigger and each sensor, and ends with 0 if one can count")
  func doctor() throws {
    let transcript = try MockedDevices.all.run(["doctor", "--format", "json"])
    #expect(transcript.ending == .exit(0))
    let checks = try Self.decoded(transcript, as: Check.self)
    #expect(
      checks.prefix(6).map(\.check) == [
        "input subsystem", "IIO subsystem", "udev", "udev rule", "group pedometer", "timer trigger",
      ])
    #expect(checks.contains { $0.check == "iio:device0" && $0.result == "ok" })
    #expect(try MockedDevices.all.run(["doctor"]).output.contains("to do: "))
  }
}
