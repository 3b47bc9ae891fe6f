import Foundation
import TestSupport
import Testing

@Suite(
  "Recorded devices", .enabled(if: Replay.isPossible, "umockdev is not installed"), .timeLimit(.minutes(30)),
  .ownThreads)
struct UmockdevTests {
  private static let all = ["hid-sensor-hub", "uinput-accelerometer", "dualsense", "bma400", "kxcjk1013"]

  @Test("five recorded devices are six sensors, each with its identity and access")
  func devices() throws {
    let ioctls = ["uinput-accelerometer": "/dev/input/event1", "dualsense": "/dev/input/event2"].flatMap {
      ["-i", "\($0.value)=\(Replay.fixture($0.key + ".ioctl"))"]
    }
    let replay = try Replay.of(Self.all, ioctls, probe: ["devices"])
    let heads = replay.lines.filter { !$0.hasPrefix(" ") }
    #expect(
      heads.map { $0.split(separator: " ")[0] } == [
        "counter:device1", "evdev:/dev/input/event1", "evdev:/dev/input/event2", "iio:device0", "iio:device1",
        "iio:device2",
      ])
    #expect(heads[2].contains("usb:054c:0ce6:serial=02:5e:c0:ff:ee:01"))
    #expect(heads[3].contains("usb:1209:7e57:serial=lab-accel-1:accel_3d/accelerometer"))
    let chip = replay.lines.drop { !$0.hasPrefix("iio:device2") }.prefix(4).joined()
    #expect(chip.contains("kxcjk1013") && chip.contains("pollingOnly") && chip.contains("iio-trig-hrtimer"))
  }

  @Test("40 steps are counted from the HID sensor hub's buffer, through a node that splits and joins scans")
  func hidSensorHub() throws {
    let script = ["-s", "/dev/iio:device0=\(Replay.fixture("hid-sensor-hub.script"))"]
    let replay = try Replay.of(["hid-sensor-hub"], script, probe: ["samples", "iio:device0", "1380", "all"])
    #expect(replay.status == 0)
    #expect(replay.samples.count == 1380)
    #expect(replay.bounces(axis: 2) == 40)
    let times = replay.samples.map(\.nanoseconds)
    #expect(zip(times.dropFirst(), times).allSatisfy { (1_000_000...60_000_000).contains($0 - $1) })
  }

  @Test(
    "40 steps are counted from input devices, with gravity on any axis",
    arguments: [("uinput-accelerometer", "/dev/input/event1", 2), ("dualsense", "/dev/input/event2", 1)])
  func evdev(_ recording: String, _ node: String, _ axis: Int) throws {
    let (arguments, file) = try Replay.eventsAtOnce(of: recording, node: node)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let replay = try Replay.of([], arguments, probe: ["samples", "evdev:\(node)", "1280", "all"])
    #expect(replay.status == 0)
    #expect(replay.bounces(axis: axis) == 40)
    let times = replay.samples.map(\.nanoseconds)
    let even = zip(times.dropFirst(), times).filter { (15_000_000...25_000_000).contains($0 - $1) }
    #expect(even.count > times.count * 9 / 10)
  }

  @Test("a recorded step counter begins at zero steps")
  func counter() throws {
    let replay = try Replay.of(["bma400"], probe: ["steps", "counter:device1", "1"])
    #expect(replay.status == 0)
    #expect(replay.lines.last?.hasPrefix("steps 0 new 0") == true)
  }

  /// Root must drop its privileges to lack a permission.
  private static let asOrdinaryUser =
    geteuid() == 0 ? "RUN='setpriv --reuid=65534 --regid=65534 --clear-groups'" : "RUN="

  @Test("a node without permission is declined: exit 77 and the rule's name")
  func declined() throws {
    let close =
      "node=$UMOCKDEV_DIR/dev/input/event1; rm -f $node; : > $node; chmod -R a+rwX $UMOCKDEV_DIR; chmod 0 $node"
    let before = "\(close); \(Self.asOrdinaryUser)"
    let replay = try Replay.of(
      ["uinput-accelerometer"], probe: ["samples", "evdev:/dev/input/event1", "1"], before: before)
    #expect(replay.status == 77)
    #expect(replay.lines.last?.contains("72-pedometer.rules") == true)
    let access = try Replay.of(["uinput-accelerometer"], probe: ["access"], before: before)
    #expect(access.lines.first == "available false declined true")
  }

  @Test("an IIO node without permission is polled, with the remedy for the buffer")
  func polled() throws {
    let close =
      "node=$UMOCKDEV_DIR/dev/iio:device0; rm -f $node; : > $node; chmod -R a+rwX $UMOCKDEV_DIR; chmod 0 $node"
    let replay = try Replay.of(
      ["hid-sensor-hub"], probe: ["samples", "iio:device0", "10"], before: "\(close); \(Self.asOrdinaryUser)")
    #expect(replay.status == 0)
    #expect(abs((replay.samples.last?.g[2] ?? 0) - 1) < 0.01)
    #expect(replay.lines.last?.contains("polled") == true && replay.lines.last?.contains("72-pedometer.rules") == true)
  }
}
