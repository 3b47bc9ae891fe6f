import ArgumentParser
import PedometerCommands

/// The command line that users start: counts, reads sensors and plays, and runs `pedometer-full` for everything else.
@main
struct PedometerCommand: ParsableCommand {
  static let configuration = Commands.root(of: Commands.walking + Commands.others)

  static func main() {
    Commands.prepare()
    let arguments = CommandLine.arguments.dropFirst()
    let isOwn = configuration.subcommands.contains { $0.configuration.commandName == arguments.first }
    if arguments.first == "--version" || arguments.first == Handshake.argument { return main(nil) }
    if isOwn, !Network.needsTLS(arguments) { return main(nil) }
    // Apart from its commands this includes the help that lists them, completions, and the answer to a typing error.
    do { try FullExecutable.run() } catch {
      guard let word = arguments.first, FullExecutable.commands.contains(word) else { return main(nil) }
      StandardOutput.complain("pedometer: '\(word)' needs pedometer-full: \(error)")
      exit(withError: ExitCode(69))
    }
  }
}
