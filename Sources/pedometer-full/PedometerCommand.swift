import ArgumentParser
import PedometerCommands
import ServiceNetwork

/// The complete command line, with the history's database and a network.
///
/// Users start `pedometer`, which runs this for the commands that it lacks.
@main
struct PedometerCommand: ParsableCommand {
  static let configuration = Commands.root(
    of: Commands.walking + [HistoryCommand.self, ExportCommand.self] + Commands.others)

  static func main() {
    Commands.prepare()
    if CommandLine.arguments.dropFirst() == [Handshake.argument] {
      print(Handshake.reply, terminator: "")
      return
    }
    Network.use(NetworkTransport())
    main(nil)
  }
}
