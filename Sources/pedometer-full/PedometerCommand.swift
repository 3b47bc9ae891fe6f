import ArgumentParser
import PedometerCommands
import ServiceNetwork

/// The whole command line, with the history's database and a network.
///
/// People start `pedometer`, which becomes this where a command needs it.
@main
struct PedometerCommand: ParsableCommand {
  static let configuration = Commands.root(
    of: Commands.walking + [HistoryCommand.self, ExportCommand.self] + Commands.others)

  static func main() {
    Commands.prepare()
    Network.use { NetworkTransport() }
    main(nil)
  }
}
