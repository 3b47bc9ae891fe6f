import Analytics
import Foundation
import Platform
import ServiceTransport
import TestSupport
import Testing

/// Reports, from consent to the service, with the executable.
@Suite("pedometer analytics", .timeLimit(.minutes(30)), .ownThreads)
struct AnalyticsCommandTests {
  private let home: Home

  init() throws { home = try Home() }

  /// A separate home folder for each test.
  private final class Home {
    private let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path + "/home"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("walker's-token\n".utf8).write(to: URL(fileURLWithPath: token))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var token: String { path + "/token" }
    var spool: String { path + "/.local/state/pedometer/analytics" }
    var environment: [String: String] { ["HOME": path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""] }

    func run(_ arguments: [String], state: String = "") throws -> Transcript {
      try Executable.built("pedometer").run(
        arguments, environment: environment.merging(["XDG_STATE_HOME": state]) { $1 })
    }

    func turnOn(_ url: String) throws {
      let transcript = try run(["analytics", "on", "--url", url, "--token-file", token])
      #expect(transcript.ending == .exit(0) && transcript.errors == "")
    }

    /// The number of queued reports.
    var queued: Int { TemporaryDirectory.names(in: spool).count { $0.hasSuffix(".json") } }

    /// All files and folders below.
    var files: [String] { (try? FileManager.default.subpathsOfDirectory(atPath: path))?.sorted() ?? [] }
  }

  private static let chase = ["chase", "synthetic:cadence=115", "--goal", "40", "--speed", "200", "--format", "json"]
  private static let caught = [
    "chase", "synthetic:activity=standing", "--goal", "40", "--speed", "1000", "--format", "json",
  ]
  private static let events = ["goalSet", "chaseStarted", "chaseCompleted"]

  /// Plays until all reports are delivered: on a busy machine a chase ends before that.
  private func playUntilDelivered() throws {
    repeat { #expect(try home.run(Self.chase).ending == .exit(0)) } while home.queued > 0
  }

  /// An address without a listener: a port that was free a moment ago.
  private func deadURL() throws -> String { try FakeService { _ in nil }.url }

  @Test("a failure to print is exit code 74, as with every command")
  func fullOutput() throws {
    let transcript = try Executable.built("pedometer").run(
      ["analytics", "off"], output: .file("/dev/full"), environment: home.environment)
    #expect(transcript.exitCode == 74)
    #expect(transcript.errors.hasPrefix("pedometer: cannot write to standard output"), "\(transcript.errors)")
  }

  @Test("the commands of version 0.2 say what to do instead", arguments: [["status", "--format", "json"], ["flush"]])
  func former(_ arguments: [String]) throws {
    let transcript = try home.run(["analytics"] + arguments)
    #expect(transcript.ending == .exit(64) && transcript.errors.contains("'pedometer doctor' shows what is queued"))
  }

  @Test("without consent a chase and a doctor write nothing and send nothing")
  func off() throws {
    let transcript = try home.run(Self.chase)
    #expect(transcript.ending == .exit(0) && transcript.errors == "")
    let doctor = try home.run(["doctor", "--format", "json"])
    #expect(doctor.output.contains("reporting is off"))
    #expect(home.files == ["token"])
  }

  @Test("on: the events of a chase arrive, once each and in order, with their durations")
  func delivered() async throws {
    let backEnd = try AnalyticsBackEnd.inMemory()
    let server = try FakeService { try? await backEnd.transport.send($0, timeout: Hang.limit) }
    try home.turnOn(server.url)
    #expect(try home.run(Self.chase).ending == .exit(0))
    #expect(try home.run(Self.caught).ending == .exit(1))
    try playUntilDelivered()
    let kept = try await backEnd.kept()
    try #require(kept.prefix(6).map(\.name) == Self.events + ["goalSet", "chaseStarted", "chaseCaught"])
    #expect(kept.allSatisfy { $0.type == "lifecycle" } && Set(kept.map(\.id)).count == kept.count)
    #expect(kept[5].duration == 16)
    #expect(kept[2].duration.map { 15...30 ~= $0 } == true && kept[1].duration == nil)
    #expect(kept.allSatisfy { $0.appVersion == Version.current && $0.os?.contains("Linux") == true })
  }

  @Test(
    "a service that is down, slow, failing or sending garbage: the same chase; its reports arrive later, in order",
    arguments: ["down", "slow", "500", "garbage"])
  func faults(_ fault: String) async throws {
    let quiet = try home.run(Self.chase)
    let backEnd = try AnalyticsBackEnd.inMemory()
    let server = try FakeService { _ in
      switch fault {
      case "500": TransportResponse(status: 500)
      case "garbage": TransportResponse(status: 200, body: Array("<html>it works!".utf8))
      default: nil
      }
    }
    try home.turnOn(fault == "down" ? try deadURL() : server.url)
    let chase = try home.run(Self.chase)
    #expect(chase.output == quiet.output && chase.errors == "" && chase.ending == .exit(0))
    #expect(home.queued == 3)
    server.answer { try? await backEnd.transport.send($0, timeout: Hang.limit) }
    try home.turnOn(server.url)
    try playUntilDelivered()
    let names = try await backEnd.kept().map(\.name)
    #expect(names.count >= 6 && names == Array(repeating: Self.events, count: names.count / 3).flatMap(\.self))
  }

  @Test("a wrong token: the chase continues, nothing is stored; with a valid one, everything arrives")
  func token() async throws {
    let backEnd = try AnalyticsBackEnd.inMemory()
    let server = try FakeService { try? await backEnd.transport.send($0, timeout: Hang.limit) }
    try home.turnOn(server.url)
    try Data("stolen".utf8).write(to: URL(fileURLWithPath: home.token))
    #expect(try home.run(Self.chase).ending == .exit(0))
    #expect(try await backEnd.kept().isEmpty)
    #expect(home.queued == 3)
    try FileManager.default.removeItem(atPath: home.token)
    #expect(try home.run(["doctor"]).output.contains("no token; put one into \(home.token)"))
    try Data("walker's-token".utf8).write(to: URL(fileURLWithPath: home.token))
    try playUntilDelivered()
    #expect(try await backEnd.kept().prefix(3).map(\.name) == Self.events)
  }

  @Test("a full disk under the spool: the same chase, without messages", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(SmallDisk(kibibytes: 16))
    disk.fill()
    // The program has other descriptors, so it finds the disk through this process.
    let path = disk.path.replacing("self", with: "\(getpid())")
    let quiet = try home.run(Self.chase)
    try home.turnOn(try deadURL())
    let chase = try home.run(Self.chase, state: path)
    #expect(chase.output == quiet.output && chase.errors == "" && chase.ending == .exit(0))
  }

  @Test("a limit on the size of files: the same chase, without messages, and no signal ends it")
  func fileSizeLimit() throws {
    let quiet = try home.run(Self.chase)
    try home.turnOn(try deadURL())
    let chase = try Executable(path: "/bin/sh").run(
      ["-c", "ulimit -f 0; exec \"$@\" | cat", "sh", try Executable.pathOfBuilt("pedometer")] + Self.chase,
      environment: home.environment)
    #expect(chase.output == quiet.output && chase.errors == "")
  }

  @Test("two chases at once share a spool: nothing is lost")
  func together() async throws {
    try home.turnOn(try deadURL())
    let environment = home.environment
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          let transcript = try Executable.built("pedometer").run(Self.chase, environment: environment)
          #expect(transcript.ending == .exit(0))
        }
      }
      try await group.waitForAll()
    }
    #expect(home.queued == 9)
    #expect(try home.run(["doctor"]).output.contains("9 queued, 0 dropped, 0 refused"))
  }

  @Test("off again: queued reports are discarded, and no more are written")
  func offAgain() throws {
    try home.turnOn(try deadURL())
    #expect(try home.run(Self.chase).ending == .exit(0))
    let off = try home.run(["analytics", "off"])
    #expect(off.ending == .exit(0) && off.output == "Reporting is off; 3 queued reports discarded.\n")
    #expect(try home.run(Self.chase).ending == .exit(0))
    #expect(TemporaryDirectory.names(in: home.spool).isEmpty)
  }

  @Test("doctor shows the settings, an example, the queue and its counts")
  func shown() throws {
    let url = try deadURL()
    try home.turnOn(url)
    #expect(try home.run(Self.chase).ending == .exit(0))
    let doctor = try home.run(["doctor"]).output
    #expect(doctor.contains("ok       analytics: reports are sent to \(url)/api/analytics, such as {\"appVersion\":"))
    #expect(doctor.contains("3 queued, 0 dropped, 0 refused in \(home.spool)"))
    try FileManager.default.removeItem(atPath: home.token)
    #expect(try home.run(["doctor"]).output.contains("warning  analytics: reports are sent to"))
    try FileManager.default.removeItem(atPath: home.spool)
    try Data().write(to: URL(fileURLWithPath: home.spool))
    #expect(try home.run(["doctor"]).output.contains("that folder cannot be read"))
  }

  @Test("an invalid address, and broken settings, are reported in a sentence")
  func refused() throws {
    for url in ["localhost", "ftp://x", "http://host/?q"] {
      let transcript = try home.run(["analytics", "on", "--url", url, "--token-file", home.token])
      #expect(transcript.ending == .exit(64) && transcript.output == "" && transcript.errors.contains(url))
    }
    #expect(home.files == ["token"])
    try home.turnOn("http://10.0.0.1".replacing("10.0.0.1", with: "127.0.0.1"))
    let settings = home.path + "/.config/pedometer/analytics.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: settings))
    #expect(try home.run(Self.chase).ending == .exit(0))
    let doctor = try home.run(["doctor"]).output
    #expect(doctor.contains("warning  analytics") && doctor.contains(settings))
    #expect(try home.run(["analytics", "off"]).ending == .exit(0))
  }

  @Test("plain http to another computer and a missing token are warned of; token files are relative to here")
  func warnings() throws {
    let transcript = try Executable.built("pedometer").inFolder(home.path).run(
      ["analytics", "on", "--url", "http://192.0.2.1:8080/", "--token-file", "none"], environment: home.environment)
    #expect(transcript.ending == .exit(0) && transcript.errorLines.count == 2)
    #expect(transcript.errors.contains("\(home.path)/none contains no token") && transcript.errors.contains("https://"))
  }

  @Test("the game reports its screen, its buttons, and dismissed alerts")
  func game() throws {
    try home.turnOn(try deadURL())
    let game = try Executable.built("pedometer").start(
      ["chase", "synthetic:cadence=115", "--goal", "100000", "--speed", "50"], inTerminalOf: (80, 24),
      environment: home.environment, input: nil)
    try game.wait(for: "[Start]")
    game.type("d ")
    try game.wait(for: "Nessie is halfway to you.")
    game.type(" ")
    try game.wait(for: "[Resume]")
    game.type("d")
    try game.wait { screen in !screen.lines.contains { $0.contains("halfway") } }
    game.type(" ")
    try game.wait(for: "[Pause]")
    game.type("rg70\r")
    try game.wait(for: "0 of 70")
    game.type("q")
    #expect(try game.finish() == .exit(0))
    let reports = try TemporaryDirectory.names(in: home.spool).map { name in
      try JSONDecoder().decode(Report.self, from: Data(TemporaryDirectory.bytes(of: home.spool + "/" + name)))
    }
    #expect(
      reports.map { "\($0.name) \($0.type)" } == [
        "goalSet lifecycle", "chaseShown screenView", "chaseStarted lifecycle", "chasePaused lifecycle",
        "alertClosed buttonTap", "chaseResumed lifecycle", "goalSet buttonTap", "chaseShown lifecycle",
      ])
    #expect(reports.last?.duration != nil)
  }
}
