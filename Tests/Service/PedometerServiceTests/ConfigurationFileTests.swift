import Glibc
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService

@Suite("Configuration file", .timeLimit(.minutes(30)))
struct ConfigurationFileTests {
  @Test("without --config, the file of the user takes the place of that of the machine")
  func places() {
    let machine = "/etc/pedometer/pedometerd.yaml"
    #expect(
      ConfigurationFile.usualPaths(["HOME": "/home/ann"]) == ["/home/ann/.config/pedometer/pedometerd.yaml", machine])
    #expect(
      ConfigurationFile.usualPaths(["HOME": "/home/ann", "XDG_CONFIG_HOME": "/srv"])
        == ["/srv/pedometer/pedometerd.yaml", machine])
    #expect(ConfigurationFile.usualPaths(["XDG_CONFIG_HOME": "relative"]) == [machine])
  }

  private static func error(_ text: String) -> String? {
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.parse(text, path: "pedometerd.yaml")
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("every key is read, with the line of its value")
  func keys() throws {
    let given = try ConfigurationFile.parse(
      "# mine\ngoal: 8000\nsources:\n  - iio:device0\n  - walk.csv\nday-start: 04:00\n", path: "p.yaml")
    #expect(given[.goal] == [GivenText("8000", at: "p.yaml:2")])
    #expect(given[.sources] == [GivenText("iio:device0", at: "p.yaml:4"), GivenText("walk.csv", at: "p.yaml:5")])
    #expect(given[.dayStart].first?.text == "04:00")
  }

  @Test("a file may be a pipe, as of a shell; a folder, a missing file and bytes that are no text are refused")
  func files() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.path + "/pipe"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let shell = try Executable(path: "/bin/sh").start(["-c", "echo 'goal: 7000' > '\(pipe)'"])
    #expect(try ConfigurationFile.read(pipe)[.goal].first?.text == "7000")
    #expect(try shell.finish().ending == .exit(0))
    let bytes = try folder.write([0x67, 0xFF, 0xFE], to: "bytes.yaml")
    for path in [folder.path, folder.path + "/none.yaml", bytes] {
      #expect { try ConfigurationFile.read(path) } throws: { "\($0)".contains("cannot be read; give a text file") }
    }
  }

  @Test("an empty file, and one of comments, sets nothing", arguments: ["", "# nothing\n", "---\n"])
  func empty(_ text: String) throws {
    #expect(try ConfigurationFile.parse(text, path: "p.yaml") == GivenSettings())
  }

  @Test(
    "an unknown key is refused, with its line and the most similar key",
    arguments: [
      ("goals: 1", "pedometerd.yaml:1: unknown key 'goals'; did you mean 'goal'?"),
      ("goal: 1\nsource: x", "pedometerd.yaml:2: unknown key 'source'; did you mean 'sources'?"),
      ("\n\ntime_zone: x", "pedometerd.yaml:3: unknown key 'time_zone'; did you mean 'time-zone'?"),
      (
        "notify: [goal]",
        "pedometerd.yaml:1: 'notify': desktop notifications were removed; delete the key, and use Home Assistant"
          + " (key mqtt) or a script with 'pedometer status' instead"
      ),
      ("lsiten: x", "pedometerd.yaml:1: unknown key 'lsiten'; did you mean 'listen'?"),
    ])
  func unknown(_ text: String, _ message: String) {
    #expect(Self.error(text) == message)
  }

  @Test("a key without similar ones gets the list of all")
  func strange() {
    #expect(Self.error("zigbee: x")?.contains("the keys are listen, sources, state") == true)
  }

  @Test(
    "an invalid mapping is reported with its line",
    arguments: [
      ("goal: [1, 2]", "pedometerd.yaml:1: 'goal' takes one value"),
      ("goal: 1\nstate: {a: b}", "pedometerd.yaml:2: 'state' takes one value"),
      ("- goal", "pedometerd.yaml:1: expected lines of 'key: value'"),
      ("goal: 1\ngoal: 2", "'goal' is given twice"),
      ("goal: \"8000", "not valid YAML"),
      ("goal: 1\n  state: x", "pedometerd.yaml:2: not valid YAML"),
    ])
  func malformed(_ text: String, _ message: String) {
    let error = Self.error(text) ?? "nothing"
    #expect(error.contains(message), "\(error)")
  }

  @Test("a missing file is reported")
  func missing() {
    #expect(throws: ConfigurationError.self) { try ConfigurationFile.read("/nowhere/pedometerd.yaml") }
  }

  @Test("the installed example is valid, unchanged and with all of its lines enabled")
  func example() throws {
    let path = Repository.path("packaging/config/pedometerd.yaml")
    #expect(try ConfigurationFile.read(path) == GivenSettings())
    let lines = try TemporaryDirectory.text(of: path).split(separator: "\n").map { line in
      // Text begins after one space; the lines of lists and mappings are indented by more.
      line.hasPrefix("#") && (!line.hasPrefix("# ") || line.hasPrefix("#  ")) ? line.dropFirst() : line
    }
    let given = try ConfigurationFile.parse(lines.joined(separator: "\n"), path: path)
    for key in SettingKey.allCases { #expect(!given[key].isEmpty, "\(key.rawValue)") }
  }
}
