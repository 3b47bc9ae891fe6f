import Foundation
import TestSupport
import Testing

/// The installed documentation agrees with the executable.
@Suite("Manual and completions", .timeLimit(.minutes(30)), .ownThreads)
struct ManualTests {
  private struct Dump: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }
      var names: [Name]?
    }
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The names of its options.
    var options: [String] { (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name) }
  }

  private static func commands() throws -> [Command] {
    let dump = try Executable.built("pedometer").run(["--experimental-dump-help"]).output
    return try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command.subcommands ?? []
  }

  @Test("the manual has every command with its subcommands, and every option")
  func manual() throws {
    let page = try TemporaryDirectory.text(of: Repository.path("packaging/man/pedometer.1"))
    let commands = try Self.commands()
    #expect(commands.count > 7)
    for command in commands {
      #expect(page.contains(".Cm \(command.commandName)\n"), "\(command.commandName)")
      for name in command.options { #expect(page.contains("Fl -\(name)"), "\(command.commandName) --\(name)") }
      for part in command.subcommands ?? [] {
        let words = "\(command.commandName) \(part.commandName)"
        #expect(page.contains("Cm \(part.commandName)") || page.contains("Cm \(words)"), "\(words)")
        for name in part.options { #expect(page.contains("Fl -\(name)"), "\(words) --\(name)") }
      }
    }
  }

  @Test("completions offer every command and its options", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) throws {
    let script = try Executable.built("pedometer").run(["--generate-completion-script", shell])
    #expect(script.ending == .exit(0))
    for command in try Self.commands() { #expect(script.output.contains(command.commandName)) }
    #expect(script.output.contains("provisional") && script.output.contains("nessie-speed"))
  }

  @Test(
    "each shell completes sensors, other sources and files",
    arguments: ["bash", "zsh", "fish"],
    [
      ("live ii", "iio:device0"), ("record iio:de", "iio:device0"), ("chase ud", "udp:"), ("live wa", "walk.csv"),
      ("live iio:", "iio:device0"),
    ])
  func sources(_ shell: String, _ typed: (String, String)) throws {
    let path = ["/bin/", "/usr/bin/"].map { $0 + shell }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { return }
    let folder = try TemporaryDirectory()
    let script = try Executable.built("pedometer").run(["--generate-completion-script", shell]).output
    try folder.write(Array(script.utf8), to: "_pedometer")
    try folder.write([], to: "walk.csv")
    // A computer with one sensor.
    let devices = "#!/bin/sh\nprintf 'source,name\\niio:device0,chip\\n'\n"
    try folder.write(Array(devices.utf8), to: "pedometer")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/pedometer")
    let words = typed.0.split(separator: " ").map(String.init)
    let run = try Executable(path: path).run(
      Self.press(shell) + [folder.path] + words,
      environment: ["PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb"])
    // Bash completes what follows the last colon.
    let whole = words[1].lastIndex(of: ":").map { String(words[1][...$0]) } ?? ""
    let offered = run.output.split(whereSeparator: \.isNewline).flatMap { [String($0), whole + $0] }
    #expect(offered.contains { $0.split(separator: "\t").first.map(String.init) == typed.1 }, "\(run)")
    // Fish completes file names after a colon.
    #expect(shell != "fish" || words[1] == "wa" || !run.output.contains("walk.csv"))
  }

  /// Arguments with which a shell prints what it offers, given a folder with the script and the words that are typed.
  private static func press(_ shell: String) -> [String] {
    switch shell {
    case "bash":
      [
        "-c",
        """
        cd "$1" && . ./_pedometer && shift
        COMP_LINE="pedometer $*" COMP_POINT=$((10 + ${#1} + 1 + ${#2})) COMP_WORDS=(pedometer "$1")
        while [[ $2 == *:* ]]; do COMP_WORDS+=("${2%%:*}" :) && set -- "$1" "${2#*:}"; done
        [[ $2 ]] && COMP_WORDS+=("$2")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _pedometer pedometer "$2" "${COMP_WORDS[-2]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """, "bash",
      ]
    case "zsh":
      [
        "-fc",
        """
        cd "$1" && script="$(<_pedometer)" && eval "${script%%$'\\n'_pedometer() *}"
        [[ "$script" = *":source:__pedometer_add_sources"* ]] || exit 1
        compadd() { print -rl -- ${@:#-*}; }
        _files() { print -rl -- *; }
        __pedometer_add_sources
        """, "zsh",
      ]
    default: ["-c", "cd $argv[1]; source _pedometer; complete -C \"pedometer $argv[2..]\""]
    }
  }

  @Test(
    "bash completes files, folders and values",
    arguments: [
      ("count wa", "walk.csv"), ("live wa", "walk.csv"), ("info wa", "walk.csv"),
      ("convert walk.csv -o wa", "walk.csv"),
      ("count --plot wa", "walk.csv"), ("study run wa", "walk.csv"), ("study run walk.csv -o re", "results"),
      ("simulate --activity br", "brushing-teeth"), ("simulate --position lo", "lower-back"),
      ("board micropython-u", "micropython-udp"), ("count --input-format gt", "gt3x"),
    ])
  func values(_ line: String, _ value: String) throws {
    let bash = Executable(path: "/bin/bash")
    let folder = try TemporaryDirectory()
    let script = try Executable.built("pedometer").run(["--generate-completion-script", "bash"]).output
    try folder.write(Array(script.utf8), to: "completions")
    try folder.write([], to: "walk.csv")
    try FileManager.default.createDirectory(atPath: folder.path + "/results", withIntermediateDirectories: false)
    let typed = """
      cd "$1" && . ./completions && shift
      COMP_WORDS=(pedometer "$@") COMP_CWORD=$# COMP_LINE="pedometer $*"
      COMP_POINT=${#COMP_LINE}
      _pedometer pedometer "${@: -1}" "${@: -2:1}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let words = line.split(separator: " ").map(String.init)
    let run = try bash.run(["-c", typed, "bash", folder.path] + words)
    #expect(run.output == value + "\n", "\(run)")
  }
}
