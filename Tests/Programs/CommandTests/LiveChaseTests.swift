import Glibc
import TestSupport
import Testing

private let canReplay = unsafe access("/usr/bin/umockdev-run", X_OK) == 0

/// The chase with recorded devices, played by umockdev to the executable.
@Suite("A live chase", .enabled(if: canReplay, "umockdev is not installed"), .timeLimit(.minutes(30)), .ownThreads)
struct LiveChaseTests {
  private static func fixture(_ name: String) -> String { Repository.path("Fixtures/devices/" + name) }

  /// - Parameters:
  ///   - devices: umockdev's arguments.
  ///   - before: a shell command that runs before it; `$RUN` is put before the program.
  private func chase(
    _ devices: [String], _ arguments: [String], before: String = "true"
  ) throws -> Transcript {
    let program = try Executable.built("pedometer").path
    return try Executable(path: "/usr/bin/umockdev-run").run(
      devices + ["--", "sh", "-c", before + "; exec $RUN \"$@\"", "sh", program, "chase", "--format", "json"]
        + arguments)
  }

  private static let hub = [
    "-d", fixture("hid-sensor-hub.umockdev"), "-s", "/dev/iio:device0=" + fixture("hid-sensor-hub.script"),
  ]

  @Test("the best sensor is taken, and its steps reach the goal", arguments: [["iio:device0"], [], ["--wait"]])
  func completed(_ source: [String]) throws {
    let transcript = try chase(Self.hub, source + ["--goal", "12"])
    #expect(transcript.ending == .exit(0), "\(transcript.errors)")
    #expect(transcript.outputLines.last?.hasSuffix("\"state\":\"completed\"}") == true)
    #expect(transcript.outputLines.contains { $0.contains("milestone75Percent") })
  }

  /// Root must drop its privileges to lack a permission.
  private static let asOrdinaryUser =
    geteuid() == 0 ? "RUN='setpriv --reuid=65534 --regid=65534 --clear-groups'" : "RUN="

  @Test("a sensor that is closed to this user: the alert, exit 77", arguments: [["evdev:/dev/input/event1"], []])
  func declined(_ source: [String]) throws {
    let close =
      "node=$UMOCKDEV_DIR/dev/input/event1; rm -f $node; : > $node; chmod -R a+rwX $UMOCKDEV_DIR; chmod 0 $node"
    let transcript = try chase(
      ["-d", Self.fixture("uinput-accelerometer.umockdev")], source + ["--goal", "12"],
      before: "\(close); \(Self.asOrdinaryUser)")
    #expect(transcript.ending == .exit(77))
    #expect(transcript.outputLines.count == 1)
    #expect(transcript.output.contains("\"alert\":\"notAuthorized\""))
    #expect(transcript.errors.contains("72-pedometer.rules"), "\(transcript.errors)")
  }

  @Test("without any sensor a synthetic walk is played, with a message")
  func none() throws {
    let transcript = try chase([], ["--goal", "5", "--founding"])
    #expect(transcript.ending == .exit(1))
    #expect(transcript.errors.contains("no motion sensor"))
  }
}
