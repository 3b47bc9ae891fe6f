import ArgumentParser
import DaemonCommand
import PedometerCommands
import ServiceNetwork
import Terminals
import WebSocketNetwork

/// The complete command line, with the history's database and a network, and the service.
///
/// Users start `pedometer`, which runs this for the commands that it lacks. A link with the name `pedometerd` starts the
/// service: both consist mostly of the same libraries, and one file takes half of the space.
@main
struct FullCommand: ParsableCommand {
  static let configuration = Commands.root(
    of: Commands.walking
      + [StatusCommand.self, HistoryCommand.self, ExportCommand.self, ImportCommand.self, StudyCommand.self]
      + Commands.others)

  /// The beginning of messages about the command line, the same as of all others.
  static var _errorLabel: String { "pedometer" }

  static func main() {
    if startsService(CommandLine.arguments) { PedometerDaemon.runProcess() }
    Commands.prepare()
    Network.use(NetworkTransport(), messages: NIOMessageClient())
    let arguments = Array(CommandLine.arguments.dropFirst())
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let suggestion = Commands.suggestion(for: arguments, among: names) {
      complain("\(suggestion)")
      exit(withError: ExitCode(64))
    }
    Commands.run(self, Commands.expanded(arguments))
  }

  static func startsService(_ arguments: [String]) -> Bool {
    arguments.first?.split(separator: "/").last == "pedometerd"
  }
}
