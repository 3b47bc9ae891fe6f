import Glibc
import TestSupport
import Testing

/// `pedometer` alone: what it does itself, and what it leaves to `pedometer-full`, for which a script stands in here.
@Suite("The small executable and the full one", .timeLimit(.minutes(10)))
struct FullExecutableTests {
  private let folder: TemporaryDirectory
  private let pedometer: Executable
  private let home: [String: String]

  init() throws {
    folder = try TemporaryDirectory()
    // A hard link, not a symbolic one: where the executable lies is asked of the kernel.
    let path = folder.path + "/pedometer"
    try #require(unsafe link(Executable.pathOfBuilt("pedometer"), path) == 0 || Self.copy(to: path))
    pedometer = Executable(path: path)
    home = ["HOME": folder.path + "/home", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""]
  }

  private static func copy(to path: String) throws -> Bool {
    try Executable(path: "/usr/bin/install").run([Executable.pathOfBuilt("pedometer"), path]).exitCode == 0
  }

  /// A `pedometer-full` that tells its arguments and what comes in.
  private func addFull(at name: String = "pedometer-full") throws {
    let path = try folder.write(Array("#!/bin/sh\nprintf '<%s>' full \"$@\"\ncat\nexit 7\n".utf8), to: name)
    try #require(unsafe chmod(path, 0o755) == 0)
  }

  @Test(
    "what takes the database or the network, and what is unknown, goes to the full one as it is",
    arguments: [
      ["history", "--week", "--from", "a  b", ""], ["export"], ["help", "count"], ["--help"], ["hitsory"], ["count2"],
      ["--generate-completion-script", "fish"], [],
    ])
  func handedOver(_ arguments: [String]) throws {
    try addFull()
    let transcript = try pedometer.run(arguments, environment: home)
    #expect(transcript.output == (["full"] + arguments).map { "<\($0)>" }.joined())
    #expect(transcript.exitCode == 7)
  }

  @Test("it counts by itself", arguments: [true, false])
  func countsAlone(_ isFullThere: Bool) throws {
    if isFullThere { try addFull() }
    let transcript = try pedometer.run(
      ["count", "synthetic:cadence=110,steps=40", "--format", "json"], environment: home)
    #expect(transcript.exitCode == 0)
    #expect(transcript.output.contains(#""steps":40"#), "\(transcript)")
    #expect(try pedometer.run(["--version"], environment: home).output.contains("."))
    #expect(try pedometer.run(["count", "--help"], environment: home).output.contains("USAGE: pedometer count"))
  }

  @Test("an installed one is found in libexec")
  func installed() throws {
    for name in ["/bin", "/libexec", "/libexec/pedometer"] {
      try #require(unsafe mkdir(folder.path + name, 0o755) == 0)
    }
    try #require(unsafe rename(pedometer.path, folder.path + "/bin/pedometer") == 0)
    try addFull(at: "libexec/pedometer/pedometer-full")
    let transcript = try Executable(path: folder.path + "/bin/pedometer").run(["history"], environment: home)
    #expect(transcript.output == "<full><history>")
  }

  @Test("a full one that is none is started once, not for ever")
  func noFull() throws {
    let path = folder.path + "/pedometer-full"
    try #require(unsafe symlink(pedometer.path, path) == 0)
    let transcript = try pedometer.run(["history"], environment: home)
    #expect(transcript.exitCode == 69)
    #expect(transcript.errors.contains("(it is not what its name says)"), "\(transcript.errors)")
  }

  @Test("without the full one its commands say what is missing, and the help is there still")
  func missing() throws {
    for command in ["history", "export"] {
      let transcript = try pedometer.run([command], environment: home)
      #expect(transcript.exitCode == 69)
      #expect(
        transcript.errors
          == "pedometer: '\(command)' cannot be done here: \(folder.path)/pedometer-full cannot be started "
          + "(No such file or directory); 'make release && sudo make install' brings it\n")
    }
    let help = try pedometer.run(["--help"], environment: home)
    #expect(help.exitCode == 0 && help.output.contains("count"))
    #expect(try pedometer.run(["hitsory"], environment: home).exitCode == 64)
    let room = try pedometer.run(
      ["chase", "synthetic:cadence=115", "--goal", "9", "--room", "http://127.0.0.1:9"], environment: home)
    #expect(room.exitCode == 69)
    #expect(room.errors.hasPrefix("pedometer: cannot reach a room: "), "\(room.errors)")
  }

  @Test("a chase in a room is handed over before anything is read; one alone is not")
  func chase() throws {
    try addFull()
    let walk = try pedometer.run(["simulate", "--cadence", "115", "--duration", "60"]).output
    let alone = ["chase", "-", "--goal", "9", "--format", "json"]
    let room = alone + ["--room", "http://127.0.0.1:9"]
    let transcript = try pedometer.run(room, input: .text(walk), environment: home)
    #expect(transcript.output == (["full"] + room).map { "<\($0)>" }.joined() + walk)
    let chase = try pedometer.run(alone, input: .text(walk), environment: home)
    #expect(chase.exitCode == 0)
    #expect(chase.output.contains(#""state":"completed""#))
  }

  @Test("a chase that reports is handed over; without the full one its reports wait")
  func reports() throws {
    let chase = ["chase", "synthetic:cadence=115", "--goal", "9", "--format", "json", "--speed", "50"]
    let token = try folder.write(Array("t".utf8), to: "token")
    let on = ["analytics", "on", "--url", "http://127.0.0.1:9", "--token-file", token]
    #expect(try pedometer.run(on, environment: home).exitCode == 0)
    #expect(try pedometer.run(chase, environment: home).exitCode == 0)
    let status = try pedometer.run(["analytics", "status", "--format", "json"], environment: home)
    #expect(!status.output.contains(#""waiting":0"#) && status.output.contains(#""waiting":"#), "\(status.output)")
    try addFull()
    #expect(try pedometer.run(chase, environment: home).output == (["full"] + chase).map { "<\($0)>" }.joined())
  }

  /// A shell line that says whether the hub's buffer is in use.
  private func inUse(_ enable: String) -> String {
    let switches = "$UMOCKDEV_DIR/sys/bus/iio/devices/iio:device0/buffer*/enable"
    return "for switch in \(switches); do echo \(enable) > $switch; done"
  }

  @Test(
    "a sensor whose buffer is in use is left to the full one, which can ask the service; a free one is not",
    .enabled(if: MockedDevices.isPossible), arguments: ["0", "1"])
  func sensorInUse(_ enable: String) throws {
    try addFull()
    var devices = MockedDevices.hub
    devices.before = inUse(enable)
    devices.executable = pedometer.path
    let arguments = ["live", "iio:device0", "--format", "csv", "--duration", "1"]
    let transcript = try devices.run(arguments)
    // Nothing is said before, not even the heading.
    let isFull = transcript.output == (["full"] + arguments).map { "<\($0)>" }.joined()
    #expect(isFull == (enable == "1"), "\(transcript)")
    if enable == "0" { #expect(transcript.outputLines.count > 1, "\(transcript)") }
  }

  @Test(
    "the full one gets signals as the small one had them, though it is started by a worker thread",
    .enabled(if: MockedDevices.isPossible))
  func signals() throws {
    // No shell: that would set the mask anew.
    let awk =
      #"#!/usr/bin/awk -f"# + "\n"
      + #"BEGIN { while ((getline < "/proc/self/status") > 0) if ($1 == "SigBlk:") print $2; exit }"# + "\n"
    let path = try folder.write(Array(awk.utf8), to: "pedometer-full")
    try #require(unsafe chmod(path, 0o755) == 0)
    var devices = MockedDevices.hub
    devices.before = inUse("1")
    devices.executable = pedometer.path
    let before = try #require(UInt64(devices.run(["history"]).outputLines.first ?? "", radix: 16))
    let live = try #require(UInt64(devices.run(["live", "iio:device0"]).outputLines.first ?? "", radix: 16))
    let taken = [SIGHUP, SIGINT, SIGTERM].reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
    #expect(live == before | taken)
    #expect(before & 1 << UInt64(SIGTSTP - 1) == 0)
  }
}
