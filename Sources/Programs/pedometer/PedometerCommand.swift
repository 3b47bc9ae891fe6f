import ArgumentParser
import PedometerCommands
import Terminals

/// The command line that users start: counts, reads sensors and plays the chase, and runs `pedometer-full` for
/// everything else.
@main
struct PedometerCommand: ParsableCommand {
  static let configuration = Commands.root(of: Commands.walking + Commands.others)

  /// The beginning of messages about the command line, the same as of all others.
  static var _errorLabel: String { "pedometer" }

  static func main() {
    Commands.prepare()
    let arguments = CommandLine.arguments.dropFirst()
    let isOwn = configuration.subcommands.contains { $0.configuration.commandName == arguments.first }
    if arguments.first == "--version" { return Commands.run(self, nil) }
    if isOwn, !Network.needsFullClients(arguments) { return Commands.run(self, Commands.expanded(arguments)) }
    // Besides its commands, this includes the help that lists them, completions, and errors about unknown commands.
    do { try FullExecutable.run() } catch {
      guard let word = arguments.first, FullExecutable.commands.contains(word) else {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + FullExecutable.commands
        if let suggestion = Commands.suggestion(for: Array(arguments), among: names) {
          complain("\(suggestion)")
          exit(withError: ExitCode(64))
        }
        return Commands.run(self, Commands.expanded(arguments))
      }
      complain("'\(word)' needs pedometer-full: \(error)")
      exit(withError: ExitCode(69))
    }
  }
}
