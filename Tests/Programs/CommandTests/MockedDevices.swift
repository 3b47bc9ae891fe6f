import Glibc
import TestSupport

/// The executable on a machine with recorded devices, played by umockdev.
struct MockedDevices {
  static let isPossible = unsafe access("/usr/bin/umockdev-run", X_OK) == 0

  /// The recordings in `Fixtures/devices`, and additional arguments for umockdev-run.
  var recordings: [String] = []
  var more: [String] = []
  /// A shell command that runs before the command.
  var before = "true"
  /// Whether the command runs as a user without permissions.
  var asNobody = false

  static func fixture(_ name: String) -> String { Repository.path("Fixtures/devices/" + name) }

  /// All five, with the ioctls of the two input devices.
  static let all = MockedDevices(
    recordings: ["hid-sensor-hub", "uinput-accelerometer", "dualsense", "bma400", "kxcjk1013"],
    more: [
      "-i", "/dev/input/event1=\(fixture("uinput-accelerometer.ioctl"))",
      "-i", "/dev/input/event2=\(fixture("dualsense.ioctl"))",
    ])

  /// The HID sensor hub, whose node delivers 40 steps.
  static let hub = MockedDevices(
    recordings: ["hid-sensor-hub"], more: ["-s", "/dev/iio:device0=\(fixture("hid-sensor-hub.script"))"])

  /// One of the recordings, with its node inaccessible to unprivileged users.
  static func closed(_ recording: String, node: String) -> MockedDevices {
    MockedDevices(
      recordings: [recording],
      before: "node=$UMOCKDEV_DIR\(node); rm -f $node; : > $node; chmod -R a+rwX $UMOCKDEV_DIR; chmod 0 $node",
      asNobody: true)
  }

  /// Runs `pedometer` there.
  func run(_ arguments: [String]) throws -> Transcript {
    let step =
      asNobody && geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
    let played = recordings.flatMap { ["-d", Self.fixture($0 + ".umockdev")] } + more
    return try Executable(path: "/usr/bin/umockdev-run").run(
      played + [
        "--", "sh", "-c", "\(before); exec timeout \(Hang.seconds) \(step) \"$@\"", "sh",
        try Executable.pathOfBuilt("pedometer"),
      ]
        + arguments)
  }
}
