import ArgumentParser
import JSONLines
import LiveSources
import Platform
import Presentation
import Terminals

/// The commands of `pedometer`, for both executables.
package enum Commands {
  package static let walking: [any ParsableCommand.Type] = [
    CountCommand.self, LiveCommand.self, RecordCommand.self, ChaseCommand.self, DevicesCommand.self,
    ConvertCommand.self, InfoCommand.self, CalibrateCommand.self, LearnCommand.self,
  ]

  /// The other commands. None of them needs a database, and a network only on request.
  package static let others: [any ParsableCommand.Type] = [
    DoctorCommand.self, BoardCommand.self, SimulateCommand.self, AnalyticsCommand.self,
  ]

  /// Call this first: reads whether distances are in miles, prevents libdispatch from writing to the system log about thread
  /// priorities, and refuses JSON of a command that has none, and help for a command that does not exist, for which the parser
  /// would show the general help.
  package static func prepare() {
    unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    Decimals.readsMiles = ProcessEnvironment.current.readsMiles
    let words = CommandLine.arguments.dropFirst()
    if let obstacle = obstacle(toJSON: Array(words)) {
      complain("\(obstacle)")
      exit(ExitStatus.usage.rawValue)
    }
    guard words.first == "help", let name = words.dropFirst().first, !name.hasPrefix("-") else { return }
    let fromFull = ["history", "export", "study", "status", "import", "help"]
    let known = (walking + others).compactMap { $0.configuration.commandName } + fromFull
    if known.contains(name) { return }
    complain("'\(name)' is not a command; 'pedometer --help' lists them")
    exit(ExitStatus.usage.rawValue)
  }

  /// Runs a command, and ends the process if it fails.
  /// - Parameter arguments: `nil` for those of the process.
  package static func run(_ root: any ParsableCommand.Type, _ arguments: [String]?) {
    let words = arguments ?? Array(CommandLine.arguments.dropFirst())
    do {
      do {
        var command = try root.parseAsRoot(arguments)
        try command.run()
      } catch let error where root.exitCode(for: error) == .success {
        // The parser itself would not notice that its text cannot be written.
        let page = SourceCompletion.added(to: root.fullMessage(for: error))
        // The help of live commands shows their own options.
        let isLive = !Set(words).isDisjoint(with: ["live", "record", "chase"])
        try StandardOutput.write(page: isLive ? referred(page) : page)
      }
    } catch is StandardOutput.Closed {
      return
    } catch let error as OutputFailure {
      complain("\(error)")
      root.exit(withError: ExitStatus.io.exitCode)
    } catch {
      let message = root.fullMessage(for: error)
      let plain = plain(message, typed: CommandLine.arguments)
      guard plain != message else { root.exit(withError: error) }
      for line in plain.split(separator: "\n") { StandardOutput.complain(String(line)) }
      root.exit(withError: root.exitCode(for: error))
    }
  }

  /// The help of a live command, without the options that it shares with `count`.
  private static func referred(_ help: String) -> String {
    let title = "READING RECORDINGS:\n"
    return help.split(separator: "\n\n", omittingEmptySubsequences: false).map { section in
      section.hasPrefix(title) ? "\(title)  see 'pedometer help count'" : String(section)
    }.joined(separator: "\n\n")
  }

  /// The parser's sentences about flags that exclude each other, and about `--json`, in plain words.
  /// - Parameter typed: the arguments before shorthands are written out.
  static func plain(_ message: String, typed: [String]) -> String {
    let plain = message.replacing(/Value to be set with flag ('.+?') had already been set with flag ('.+?')/) {
      "\($0.2) and \($0.1) cannot be combined"
    }
    let isShort = typed.contains("--json") && !typed.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    guard isShort else { return plain }
    return plain.replacing("'--format'", with: "'--json'")
  }

  package static func root(of subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
    var examples = [
      "count walk.csv", "devices", "live --wait", "simulate --cadence 110 --duration 60 | pedometer count -",
      "chase synthetic:cadence=115 --goal 300",
    ]
    if subcommands.contains(where: { $0.configuration.commandName == "history" }) { examples.append("history --week") }
    return CommandConfiguration(
      commandName: "pedometer",
      abstract: "Count steps from an accelerometer or a recording",
      discussion: """
        EXAMPLES
        \(examples.map { "  pedometer \($0)" }.joined(separator: "\n"))

        A BOARD, A PHONE, ALL DAY
          pedometer board mpu6050    a sketch that makes a board a sensor
          pedometer live serial:     the steps of that board
          pedometer live udp:5555    the steps of a phone that sends its samples
          systemctl --user enable --now pedometerd
                                     count all day, with a page for browsers

        WITH EVERY COMMAND
          --json         short for --format json, where there is --format
          -q, --quiet    no progress and no remarks, only warnings and errors

        Exit codes are those of sysexits(3): 'man pedometer' lists them.
        """,
      version: Version.current,
      subcommands: subcommands)
  }
}
