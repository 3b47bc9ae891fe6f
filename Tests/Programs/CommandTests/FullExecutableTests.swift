import Glibc
import Synchronization
import TestSupport
import Testing

/// `pedometer` alone: what it does itself, and what it leaves to `pedometer-full`, which is a script here.
@Suite("The small executable and the full one", .timeLimit(.minutes(30)), .ownThreads)
struct FullExecutableTests {
  private let folder: TemporaryDirectory
  private let pedometer: Executable
  private let home: [String: String]

  init() throws {
    folder = try TemporaryDirectory()
    // A hard link, not a symbolic one, because the kernel reports the path of the executable.
    let path = folder.path + "/pedometer"
    try #require(unsafe link(Executable.pathOfBuilt("pedometer"), path) == 0 || Self.copy(to: path))
    pedometer = Executable(path: path)
    home = ["HOME": folder.path + "/home", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""]
  }

  private static func copy(to path: String) throws -> Bool {
    try Executable(path: "/usr/bin/install").run([Executable.pathOfBuilt("pedometer"), path]).exitCode == 0
  }

  /// A `pedometer-full` that prints its arguments and its input.
  private func addFull(at name: String = "pedometer-full") throws {
    let script = """
      #!/bin/sh
      printf '<%s>' full "$@"
      cat
      exit 7

      """
    let path = try folder.write(Array(script.utf8), to: name)
    try #require(unsafe chmod(path, 0o755) == 0)
  }

  @Test(
    "database commands, and unknown ones, are run by the full one with the same arguments",
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

  @Test("the small one counts without the full one", arguments: [true, false])
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

  @Test("a link to the small one is not started again and again")
  func itself() throws {
    try #require(unsafe symlink(pedometer.path, folder.path + "/pedometer-full") == 0)
    let transcript = try pedometer.run(["history"], environment: home)
    #expect(transcript.exitCode == 69 && transcript.errors.contains("levels of symbolic links"), "\(transcript.errors)")
  }

  @Test("without the full one its commands report what is missing, and help shows the others only")
  func missing() throws {
    for command in ["history", "export", "status", "import"] {
      let transcript = try pedometer.run([command], environment: home)
      #expect(transcript.exitCode == 69)
      #expect(
        transcript.errors
          == "pedometer: '\(command)' needs pedometer-full: cannot run \(folder.path)/pedometer-full "
          + "(No such file or directory); run 'make release && sudo make install'\n")
    }
    let help = try pedometer.run(["--help"], environment: home)
    #expect(help.exitCode == 0 && help.output.contains("pedometer count"))
    #expect(!help.output.contains("history") && !help.output.contains("export"))
    let completions = try pedometer.run(["--generate-completion-script", "fish"], environment: home)
    #expect(completions.output.contains("count") && !completions.output.contains("history"))
    #expect(try pedometer.run(["hitsory"], environment: home).exitCode == 64)
  }

  @Test("the small one reaches a room over plain HTTP, and the full one over TLS")
  func chase() throws {
    let walk = try pedometer.run(["simulate", "--cadence", "115", "--duration", "60"]).output
    let alone = ["chase", "-", "--goal", "9", "--format", "json"]
    let secure = alone + ["--room", "https://127.0.0.1:9"]
    let missing = try pedometer.run(secure, input: .text(walk), environment: home)
    #expect(missing.exitCode == 69 && missing.errors.contains("https needs pedometer-full"), "\(missing.errors)")
    try addFull()
    let plain = try pedometer.run(
      alone + ["--room", "http://127.0.0.1:9"], input: .text(walk), environment: home)
    #expect(plain.exitCode == 69 && plain.errors.contains("cannot reach http://127.0.0.1:9"), "\(plain.errors)")
    let transcript = try pedometer.run(secure, input: .text(walk), environment: home)
    #expect(transcript.output == (["full"] + secure).map { "<\($0)>" }.joined() + walk)
    let chase = try pedometer.run(alone, input: .text(walk), environment: home)
    #expect(chase.exitCode == 0)
    #expect(chase.output.contains(#""state":"completed""#))
  }

  @Test("the small one sends reports over plain HTTP, and the full one over TLS", arguments: ["http", "https"])
  func reports(_ scheme: String) throws {
    let chase = ["chase", "synthetic:cadence=115", "--goal", "9", "--format", "json", "--speed", "50"]
    let token = try folder.write(Array("t".utf8), to: "token")
    let on = ["analytics", "on", "--url", "\(scheme)://127.0.0.1:9", "--token-file", token]
    #expect(try pedometer.run(on, environment: home).exitCode == 0)
    #expect(try pedometer.run(chase, environment: home).exitCode == 0)
    let check = try pedometer.run(["doctor"], environment: home).output
    #expect(check.contains(" queued, ") && !check.contains(" 0 queued"), "\(check)")
    try addFull()
    let isFull = try pedometer.run(chase, environment: home).output == (["full"] + chase).map { "<\($0)>" }.joined()
    #expect(isFull == (scheme == "https"))
  }

  @Test(
    "the full one asks a service with TLS, the small one any other",
    arguments: [("https://127.0.0.1:9", true), ("http://127.0.0.1:9", false), ("off", false)])
  func service(_ address: String, _ isFull: Bool) throws {
    try addFull()
    let arguments = ["live", "synthetic:cadence=110,steps=5", "--format", "csv", "--duration", "1"]
    let transcript = try pedometer.run(
      arguments, environment: home.merging(["PEDOMETER_SERVICE": address]) { $1 })
    #expect((transcript.output == (["full"] + arguments).map { "<\($0)>" }.joined()) == isFull, "\(transcript)")
  }

  @Test(
    "the steps of a sensor whose buffer is in use come from the service that reads it, over plain HTTP",
    .enabled(if: MockedDevices.isPossible, "umockdev is not installed"))
  func sensorInUse() throws {
    let steps = Mutex([100, 100])
    let server = try LoopbackServer { connection in
      _ = connection.receive(upTo: "\r\n\r\n")
      let total = steps.withLock { $0.popLast() } ?? 103
      let health = "{\"sources\":[{\"uri\":\"iio:device0\",\"state\":\"counting\",\"steps\":\(total)}]}"
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(health.utf8.count)\r\n\r\n\(health)")
    }
    // Without the node's script: nothing opens the node, and umockdev-run would wait for that.
    var devices = MockedDevices(recordings: ["hid-sensor-hub"])
    let switches = "$UMOCKDEV_DIR/sys/bus/iio/devices/iio:device0/buffer*/enable"
    devices.before =
      "export PEDOMETER_SERVICE=http://127.0.0.1:\(server.port); for switch in \(switches); do echo 1 > $switch; done"
    let transcript = try devices.run(["live", "iio:device0", "--format", "json", "--duration", "5"])
    server.close()
    #expect(transcript.exitCode == 0, "\(transcript)")
    #expect(transcript.output.contains("counted by the service at http://127.0.0.1:\(server.port)"), "\(transcript)")
    #expect(transcript.outputLines.last?.contains(#""steps":3"#) == true, "\(transcript)")
  }

  @Test("under the name 'pedometerd', by a link, the full one is the service")
  func service() throws {
    let path = folder.path + "/pedometerd"
    try #require(unsafe symlink(Executable.pathOfBuilt("pedometer-full"), path) == 0)
    let service = Executable(path: path)
    let configuration = try folder.write(Array("goal: 7000\n".utf8), to: "good.yaml")
    let good = try service.run(["--config", configuration, "--check-config"], environment: home)
    #expect(good.exitCode == 0 && good.output == "configuration OK\n", "\(good)")
    let bad = try service.run(["--config", folder.path + "/none.yaml", "--check-config"], environment: home)
    #expect(bad.exitCode == 78 && bad.errors.hasPrefix("pedometerd: "), "\(bad)")
    #expect(try Executable.built("pedometer-full").run(["--check-config"], environment: home).exitCode == 64)
  }
}
