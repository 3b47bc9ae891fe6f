import Foundation
import History
import Platform
import ServiceCore
import ServiceSettings
import TestSupport
import Testing

@testable import DaemonCommand
@testable import PedometerService
@testable import ServiceWalkers

/// The commands and a running service, which share nothing but the state folder.
@Suite("pedometerd walkers and challenges", .timeLimit(.minutes(30)), .ownThreads)
final class WalkersCommandTests {
  private let folder: TemporaryDirectory
  private var state: String { folder.path + "/state" }

  init() throws { folder = try TemporaryDirectory() }

  deinit { try? FileManager.default.removeItem(atPath: state) }

  private func run(_ arguments: String...) throws -> Transcript {
    try Executable.built("pedometerd").run(
      arguments + ["--state", state, "--config", "/dev/null"], environment: ["XDG_STATE_HOME": folder.path])
  }

  private struct Made: Decodable {
    var token: String?
    var link: String?
    var id: String?
    var invitation: String?
  }

  private func made(_ transcript: Transcript) throws -> Made {
    try #require(transcript.exitCode == 0, "\(transcript.errors)")
    return try JSONDecoder().decode(Made.self, from: Data(transcript.output.utf8))
  }

  @Test("a walker who is added while the service runs can walk and take part at once, until the removal")
  func running() async throws {
    let service = try RealService(isGuarded: true, folder: folder)
    let ann = try made(try run("walkers", "add", "Ann", "--team", "Red", "--format", "json"))
    let token = try #require(ann.token)
    #expect(ann.link?.hasPrefix("http://127.0.0.1:8080/challenge#code=") == true)
    let me = try await service.ask("GET", "/api/walker", token: token)
    #expect(me.text == #"{"name":"Ann","team":"Red","role":"walker"}"#)
    let end = Date().addingTimeInterval(-60)
    let style = Date.ISO8601FormatStyle()
    let steps =
      #"{"source":"watch","start":"\#(end.addingTimeInterval(-600).formatted(style))","#
      + #""end":"\#(end.formatted(style))","steps":1000}"#
    #expect(try await service.ask("POST", "/api/steps", body: steps, token: token).status == 200)
    // Two days, so that it does not matter if midnight was between the steps and the challenge.
    let calendar = DayCalendar()
    let first = CivilDay(containing: Date().addingTimeInterval(-86_400), calendar).text
    let challenge = try made(
      try run(
        "challenges", "add", "November", "--from", first, "--days", "3", "--teams", "--walker", "ann", "--format",
        "json"))
    let id = try #require(challenge.id)
    let board = try await service.ask("GET", "/api/challenge?id=\(id)", token: token)
    #expect(board.text.contains(#""name":"Ann","team":"Red","steps":1000"#), "\(board.text)")
    // The command reads the same histories, while the service is writing them.
    let shown = try run("challenges", "show", "november")
    #expect(shown.exitCode == 0 && shown.output.contains("Ann") && shown.output.contains("1000 steps  Red"))
    #expect(shown.output.contains("1. Red: 1000 per member, 1000 in all, 1 member\n"), "\(shown.output)")
    #expect(try await service.ask("GET", "/api/devices", token: token).status == 403)
    #expect(try run("walkers", "remove", "Ann", "--delete-history").exitCode == 0)
    #expect(try await service.ask("GET", "/api/walker", token: token).status == 401)
    let rest = try await service.ask("GET", "/api/challenge?id=\(id)", token: RealService.token)
    #expect(rest.text.contains("Owner"))
    #expect(try !run("challenges", "show", "november").output.contains("Ann"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/walkers").isEmpty)
    #expect(try run("challenges", "remove", id).exitCode == 0)
    #expect(try await service.ask("GET", "/api/challenge?id=\(id)", token: RealService.token).status == 404)
  }

  @Test("without --state, the commands are about the service that runs, wherever its folder is")
  func runningService() throws {
    let processes = folder.path + "/proc"
    defer { try? FileManager.default.removeItem(atPath: processes) }
    let start = { (id: Int, words: [String]) in
      let place = "\(processes)/\(id)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: place + "/cwd", withDestinationPath: self.folder.path)
      try Data((words.joined(separator: "\0") + "\0").utf8).write(to: URL(filePath: place + "/cmdline"))
    }
    #expect(PedometerDaemon.running(in: processes) == nil)
    try start(
      7, ["/usr/bin/pedometerd", "--state", "here", "--token-file", "token", "--host-name", "steps.example.org"])
    // Its own commands, checks and other programs are none.
    try start(8, ["pedometerd", "walkers", "list"])
    try start(9, ["pedometerd", "--check-config", "--state", "/there"])
    try start(10, ["pedometer", "history", "--state", "/there"])
    let given = try #require(PedometerDaemon.running(in: processes)).given
    let real = Platform.resolvedPath(folder.path) ?? ""
    #expect(given[.state].map(\.text) == [real + "/here"])
    #expect(given[.tokenFile].map(\.text) == ["token"] && given[.hostNames].map(\.text) == ["steps.example.org"])
    try start(11, ["pedometerd", "--state", "/there"])
    #expect(PedometerDaemon.running(in: processes) == nil, "which one is not known")
  }

  @Test("lists name everybody, and no token or link twice")
  func lists() throws {
    #expect(try run("walkers", "owner", "--name", "Zoe", "--team", "Red").output == "The owner is Zoe, team Red.\n")
    let added = try run("walkers", "add", "Ann", "--url", "https://steps.example.org/")
    let token = try #require(added.output.firstMatch(of: /Token: ([0-9a-f]{48})\n/)).1
    let link = /Invite link: https:\/\/steps.example.org\/challenge#code=[0-9a-f]{32}\n/
    #expect(added.output.contains(link) && token.count == 48)
    let invited = try run("walkers", "invite", "Ann", "--url", "https://steps.example.org/")
    #expect(invited.output.contains(link) && invited.output.contains("within ten minutes"))
    // All who reach a service without a token are its owner.
    #expect(
      added.output.contains("unless the service runs with --token-file")
        && !added.output.contains("give the service's address") && !added.output.contains("give --state"))
    #expect(try run("challenges", "add", "x", "--days", "1").output.contains("only this computer can open the link"))
    #expect(try run("challenges", "remove", "x").output == "Removed x.\n")
    #expect(try run("walkers", "team", "ann", "Blue").output == "Ann is in team Blue.\n")
    #expect(try run("walkers", "list").output.contains("Ann   Blue  token\n"))
    #expect(try run("walkers", "team", "Ann", "").output == "Ann is in no team.\n")
    #expect(try run("walkers", "list").output == "NAME  TEAM  ACCESS\nZoe   Red   owner\nAnn   -     token\n")
    #expect(try run("walkers", "remove", "Ann", "--keep-history").output == "Removed Ann; the history is kept.\n")
    #expect(try run("walkers", "list").output.contains("Ann   -     removed, history kept\n"))
    #expect(
      try run("walkers", "list", "--format", "json").outputLines
        == [
          #"{"name":"Zoe","team":"Red","role":"owner"}"#, #"{"name":"Ann","team":null,"role":"removed"}"#,
        ])
    #expect(try run("challenges", "list").output.contains("There are no challenges"))
  }

  @Test(
    "an error is one sentence and an exit code",
    arguments: [
      (64, "walkers add \u{202E}x"), (64, "walkers add Ann"), (64, "walkers remove Ann"),
      (64, "walkers remove Ann --keep-history --delete-history"), (66, "walkers remove Ben --keep-history"),
      (66, "walkers token Ben"), (66, "walkers invite Ben"), (64, "walkers invite Owner"), (64, "walkers token Owner"),
      (66, "walkers team Ben Red"), (64, "walkers owner"),
      (64, "walkers nonsense"),
      (64, "walkers add Ben --url nowhere"), (66, "challenges show x"), (66, "challenges remove x"),
      (64, "challenges add x"), (64, "challenges add x --every month"), (73, "challenges add NOVEMBER --days 1"),
      (66, "challenges add x --days 1 --walker Ben"),
      (78, "walkers list --time-zone Nowhere"), (64, "challenges add x --days 1 --goal 0"),
      (64, "challenges participants x"), (66, "challenges participants x --add Ann"),
    ])
  func errors(_ code: Int32, _ words: String) throws {
    #expect(try run("walkers", "add", "Ann").exitCode == 0)
    #expect(try run("challenges", "add", "November", "--days", "3").exitCode == 0)
    let arguments = words.split(separator: " ").map(String.init) + ["--state", state, "--config", "/dev/null"]
    let transcript = try Executable.built("pedometerd").run(arguments)
    #expect(transcript.exitCode == code, "\(words): \(transcript.errors)")
    #expect(transcript.output.isEmpty && !transcript.errors.isEmpty)
  }

  @Test("a damaged list of walkers is reported and left as it is")
  func damage() throws {
    #expect(try run("walkers", "add", "Ann").exitCode == 0)
    try Data("{".utf8).write(to: URL(filePath: state + "/walkers.json"))
    let transcript = try run("walkers", "add", "Ben")
    #expect(transcript.exitCode == 65 && transcript.errors.contains("walkers.json is damaged"))
    #expect(try TemporaryDirectory.text(of: state + "/walkers.json") == "{")
  }

  @Test("a signal while the list is being written leaves no hidden file")
  func signal() throws {
    #expect(try run("walkers", "add", "Ann").exitCode == 0)
    let list = state + "/walkers.json"
    for number in 1...12 {
      let before = try #require(StateStamp(path: list))
      let running = try Executable.built("pedometerd").start(
        ["walkers", "add", "Walker \(number)", "--state", state, "--config", "/dev/null"])
      // Until it is writing, or has just written.
      let hang = ContinuousClock.now + Hang.limit
      while StateStamp(path: list) == before, ContinuousClock.now < hang,
        !TemporaryDirectory.names(in: state).contains(where: { $0.hasSuffix(".part") })
      { sched_yield() }
      running.send(signal: SIGTERM)
      #expect([.signal(SIGTERM), .exit(0)].contains(try running.finish().ending))
      #expect(!TemporaryDirectory.names(in: state).contains { $0.hasSuffix(".part") })
    }
  }

  @Test("names from forged files of the state are printed without control characters")
  func forged() throws {
    #expect(try run("walkers", "add", "Ann", "--team", "Red").exitCode == 0)
    #expect(try run("challenges", "add", "November", "--days", "3", "--walker", "Ann").exitCode == 0)
    let challenges = state + "/challenges"
    let files =
      [state + "/walkers.json"] + TemporaryDirectory.names(in: challenges).map { challenges + "/" + $0 }
    for file in files where file.hasSuffix(".json") {
      let text = try TemporaryDirectory.text(of: file)
      let forged = text.replacing("Ann", with: "A\\u001b[31mnn").replacing("Red", with: "R\\u009b2Jed").replacing(
        "November", with: "Nov\\u001b]0;x\\u0007ember")
      try Data(forged.utf8).write(to: URL(filePath: file))
    }
    for command in [["walkers", "list"], ["challenges", "list"], ["challenges", "show", "Nov\u{1B}]0;x\u{7}ember"]] {
      let transcript = try Executable.built("pedometerd").run(
        command + ["--state", state, "--config", "/dev/null"], environment: ["XDG_STATE_HOME": folder.path])
      let text = transcript.output + transcript.errors
      #expect(!text.isEmpty)
      #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }
    #expect(try run("walkers", "list").output.contains("A?[31mnn"))
  }

  @Test("a full disk is not a matter of permissions", arguments: [ENOSPC, EDQUOT, EROFS, ENOENT])
  func remedy(_ number: Int32) {
    #expect(!"\(StateFileError(path: "walkers.json", errno: number))".contains("root"))
    #expect("\(StateFileError(path: "walkers.json", errno: EACCES))".contains("as root"))
  }

  @Test("standard output on a full disk is an I/O error", arguments: [["walkers", "list"], ["challenges", "list"]])
  func fullOutput(_ command: [String]) throws {
    let transcript = try Executable.built("pedometerd").run(
      command + ["--state", state, "--config", "/dev/null"], output: .file("/dev/full"),
      environment: ["XDG_STATE_HOME": folder.path])
    #expect(transcript.ending == .exit(74) && transcript.errors.contains("free some space"), "\(transcript)")
  }

  @Test("help lines have at most 80 characters, and the manual has every option")
  func help() throws {
    let page = try TemporaryDirectory.text(of: Repository.path("packaging/man/pedometerd.8"))
    let pedometerd = try Executable.built("pedometerd")
    for command in [
      "walkers", "walkers add", "walkers list", "walkers remove", "walkers token", "walkers team", "walkers owner",
      "challenges",
      "challenges add", "challenges list", "challenges show", "challenges participants", "challenges remove",
    ] {
      let words = command.split(separator: " ").map(String.init)
      let help = try pedometerd.run(words + ["--help"])
      #expect(help.exitCode == 0 && help.outputLines.allSatisfy { $0.count <= 80 }, "\(help.output)")
      #expect(page.contains(".It Cm \(command)") || words.count == 1, "\(command)")
      let options = help.output.split { " \n,.;()[]|".contains($0) }.filter { $0.hasPrefix("--") }
      for option in options { #expect(page.contains("Fl -\(option.dropFirst(2))"), "\(option)") }
    }
  }
}
