import Foundation
import Glibc
import RaceRoom
import TestSupport
import Testing

/// Chases in a room of a real service, with the executables.
@Suite("Chases in a room", .timeLimit(.minutes(30)), .ownThreads)
final class RoomChaseTests {
  private let folder: TemporaryDirectory
  private let daemon: RunningExecutable
  private let url: String

  init() throws {
    folder = try TemporaryDirectory()
    let socket = try NotifySocket(folder.path + "/notify")
    daemon = try Executable.built("pedometerd").start(
      ["--state", folder.path + "/state", "--listen", "127.0.0.1:0", "--source", "synthetic:cadence=120,duration=600"],
      environment: ["NOTIFY_SOCKET": socket.name, "XDG_RUNTIME_DIR": folder.path])
    let ready = try #require(socket.message(with: "READY=1"))
    url = "http://127.0.0.1:" + (try #require(ready.split(separator: ":").last))
  }

  deinit {
    daemon.send(signal: SIGKILL)
    try? FileManager.default.removeItem(atPath: folder.path + "/state")
  }

  /// The used part of a chase's line.
  private struct Line: Decodable {
    var type: String
    var race: String?
    var start: Double?
    var started: Double?
    var seq: Int?
    var user: String?
    var text: String?
    var state: String?
  }

  private func lines(_ transcript: Transcript) throws -> [Line] {
    try transcript.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  private func chase(_ name: String, cadence: Int, _ more: [String] = []) throws -> RunningExecutable {
    try Executable.built("pedometer").start(
      [
        "chase", "synthetic:cadence=\(cadence)", "--goal", "60", "--speed", "20", "--nessie-speed", "1.3",
        "--head-start", "14", "--room", url, "--name", name, "--format", "json",
      ] + more)
  }

  @Test("two walkers begin at the same instant, one arrives, one is caught, and both get the same messages in order")
  func race() throws {
    let slow = try chase("Bøb & <i>+#</i>", cadence: 80)
    // Its first line reports that it is in the room.
    _ = try slow.outputLines(1)
    let brisk = try chase("Ann", cadence: 130, ["--countdown"])
    let (won, lost) = (try brisk.finish(), try slow.finish())
    #expect(won.exitCode == 0 && lost.exitCode == 1, "\(won.errors) \(lost.errors)")

    let races = [try lines(won), try lines(lost)]
    let begun = try races.map { try #require($0.first { $0.race == "begun" }) }
    #expect(begun[0].start == begun[1].start)
    // How close they are depends on the machine's load, but neither starts early.
    #expect(begun.allSatisfy { ($0.started ?? 0) >= ($0.start ?? .infinity) - 0.01 })

    let messages = races.map { $0.filter { $0.type == "message" } }
    for own in messages {
      let numbers = own.compactMap(\.seq)
      #expect(numbers == Array((numbers.first ?? 0)...(numbers.last ?? 0)))
    }
    let said = messages.map { $0.map { "\($0.seq ?? 0) \($0.user ?? "*"): \($0.text ?? "")" } }
    let common = Set(said[0]).intersection(said[1])
    #expect(said[0].filter(common.contains) == said[1].filter(common.contains))
    for text in ["3...", "🎉 Go!", "Nessie caught Bøb & <i>+#</i>", "the race is over: Ann won"] {
      #expect(common.contains { $0.contains(text) }, "\(text) in \(said)")
    }
  }

  @Test("in a terminal the others are on the track and the chat is below it; t talks, space counts down")
  func terminal() async throws {
    let game = try Executable.built("pedometer").start(
      ["chase", "synthetic:cadence=120", "--goal", "100000", "--speed", "20", "--room", url, "--name", "Ann"],
      inTerminalOf: (80, 24))
    try game.wait(for: "Ann connected")
    #expect(game.screen.lines.contains { $0.contains("space count down") && $0.contains("t talk") })
    let other = try RoomClient(at: url, "Zoë")
    try await other.say("hello \u{1B}[2J there 🎉")
    try game.wait(for: "Zoë: hello")
    #expect(!game.screen.lines.contains { $0.contains("\u{1B}") })
    game.type("tgrüß dich\r")
    try game.wait(for: "Ann: grüß dich")
    game.type(" ")
    try game.wait(for: "counting down")
    try game.wait(for: "in progress")
    _ = try game.wait { $0.lines.contains { $0.contains("Go!") } }
    game.type("q")
    #expect(try game.finish() == .exit(0))
    #expect(game.isCooked)
  }

  @Test("a place is shared once, after joining; Ctrl-Z and the return are told to the room")
  func away() throws {
    let game = try Executable.built("pedometer").start(
      [
        "chase", "synthetic:cadence=120", "--goal", "100000", "--room", url, "--name", "Ann", "--place",
        "57.3229,-4.4244,Urquhart Castle",
      ], inTerminalOf: (80, 24))
    try game.wait(for: "Urquhart Castle")
    game.type("\u{1A}")
    try game.wait(for: "Ann came back")
    for message in ["Urquhart Castle", "Ann went away", "Ann came back"] {
      #expect(game.screen.lines.count { $0.contains(message) } == 1, "\(message)")
    }
    game.type("q")
    #expect(try game.finish() == .exit(0))
  }

  @Test(
    "a place that is none, and one without a room, are refused with what to give",
    arguments: [
      (["--place", "here"], "57.32,-4.42"), (["--place", "91,0"], "not on Earth"),
      (["--place", "gpsd"], "57.32,-4.42"),
      (["--place", "nan,0"], "57.32,-4.42"),
    ])
  func noPlace(_ options: [String], _ words: String) throws {
    let pedometer = try Executable.built("pedometer")
    let chase = ["chase", "synthetic:cadence=120", "--goal", "10", "--format", "json"]
    let refused = try pedometer.run(chase + ["--room", url] + options)
    #expect(refused.exitCode == 64 && refused.errors.contains(words), "\(refused.errors)")
    let alone = try pedometer.run(chase + ["--place", "57.32,-4.42"])
    #expect(alone.exitCode == 64 && alone.errors.contains("--place needs --room"), "\(alone.errors)")
  }

  @Test("a missing room, and an invalid address, are reported with their exit codes")
  func noRoom() throws {
    let pedometer = try Executable.built("pedometer")
    let chase = ["chase", "synthetic:cadence=120", "--goal", "10", "--format", "json", "--room"]
    let nobody = try pedometer.run(chase + ["http://127.0.0.1:1"])
    #expect(nobody.exitCode == 69)
    #expect(nobody.errors.contains("cannot reach") && nobody.output.isEmpty)
    let nonsense = try pedometer.run(chase + ["nonsense"])
    #expect(nonsense.exitCode == 64)
    #expect(nonsense.errors.contains("http://HOST:PORT"))
  }
}
