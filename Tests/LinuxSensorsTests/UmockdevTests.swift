import Foundation
import Testing

/// Recorded devices, played by umockdev to a program of ours.
///
/// umockdev stands before the C library's calls of a whole process, so what is tested is a small program,
/// `sensor-probe`, that SwiftPM builds beside the tests.
struct Replay {
  /// What the program said.
  var lines: [String] = []
  var status: Int32 = 0

  /// The samples among the lines: nanoseconds and g.
  var samples: [(nanoseconds: Int64, g: [Double])] {
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let time = Int64(words[0]) else { return nil }
      return (time, words.dropFirst().compactMap { Double($0) })
    }
  }

  /// How often an axis rises above 1.15 g after it was below 1 g: the recorded walks bounce once a step.
  func bounces(axis: Int) -> Int {
    var count = 0
    var isUp = false
    for value in samples.map({ $0.g[axis] }) {
      if value > 1.15 && !isUp { (count, isUp) = (count + 1, true) }
      if value < 1 { isUp = false }
    }
    return count
  }

  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run")

  static func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures/devices/\(name)")
      .standardizedFileURL.path
  }

  /// The program beside the test runner.
  static let probe: String = {
    let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("sensor-probe").path
  }()

  /// Plays recordings to the probe; `before` is a shell line that is run within, before it.
  static func of(
    _ recordings: [String], _ more: [String] = [], probe words: [String], before: String = "true"
  ) throws -> Replay {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/umockdev-run")
    process.arguments =
      recordings.flatMap { ["-d", fixture($0 + ".umockdev")] } + more + [
        "--", "sh", "-c", before + "; exec timeout 60 $RUN \"$@\"", "sh", probe,
      ] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return Replay(lines: text.split(separator: "\n").map(String.init), status: process.terminationStatus)
  }

  /// An evdev recording whose node is a file with all its events, so that they come as fast as they are read.
  ///
  /// umockdev's own player writes into a pseudo-terminal, which splits an event in two when its reader is kept waiting.
  static func eventsAtOnce(of recording: String, node: String) throws -> (arguments: [String], file: String) {
    let text = try String(contentsOfFile: fixture(recording + ".events"), encoding: .utf8)
    var bytes: [UInt8] = []
    for line in text.split(separator: "\n") where line.hasPrefix("E: ") {
      let words = line.split(separator: " ")
      // A SYN_DROPPED that the recorder met would make libevdev throw the rest of the file away.
      if words[2] == "0000", words[3] == "0003" { continue }
      let time = words[1].split(separator: ".").compactMap { Int64($0) }
      append(time[0], 8, to: &bytes)
      append(time[1], 8, to: &bytes)
      append(Int64(words[2], radix: 16) ?? 0, 2, to: &bytes)
      append(Int64(words[3], radix: 16) ?? 0, 2, to: &bytes)
      append(Int64(words[4]) ?? 0, 4, to: &bytes)
    }
    let digits = Array("0123456789ABCDEF".utf8)
    let hexadecimal = String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    let device = try String(contentsOfFile: fixture(recording + ".umockdev"), encoding: .utf8)
    let name = String(node.dropFirst("/dev/".count))
    let file = NSTemporaryDirectory() + "pedometer-\(UUID().uuidString).umockdev"
    try device.replacingOccurrences(of: "N: \(name)\n", with: "N: \(name)=\(hexadecimal)\n")
      .write(toFile: file, atomically: false, encoding: .utf8)
    return (["-d", file, "-i", "\(node)=\(fixture(recording + ".ioctl"))"], file)
  }

  private static func append(_ value: Int64, _ size: Int, to bytes: inout [UInt8]) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

@Suite("Recorded devices", .enabled(if: Replay.isPossible, "umockdev is not installed"))
struct UmockdevTests {
  private static let all = ["hid-sensor-hub", "uinput-accelerometer", "dualsense", "bma400", "kxcjk1013"]

  @Test("five recorded devices are six sensors, each with its identity and what can be done with it")
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

  @Test("40 steps come out of the HID sensor hub's buffer, through a node that splits and joins scans")
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
    "40 steps come out of input devices, gravity on whichever axis",
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
    #expect(replay.lines.last?.hasPrefix("register 12345 steps 0 new 0") == true)
  }

  /// As root one has to step down for a permission to be missed.
  private static let asOrdinaryUser =
    geteuid() == 0 ? "RUN='setpriv --reuid=65534 --regid=65534 --clear-groups'" : "RUN="

  @Test("a node that is closed to this user is declined: exit 77 and the rule's name")
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

  @Test("an IIO node that is closed to this user leaves the values to be polled, and says how to get the buffer")
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
