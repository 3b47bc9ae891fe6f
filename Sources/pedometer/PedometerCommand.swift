import ArgumentParser
import PedometerCommands

/// The command line that people start: counts, reads sensors and plays, and becomes `pedometer-full` for everything else.
@main
struct PedometerCommand: ParsableCommand {
  static let configuration = Commands.root(of: Commands.walking + Commands.others)

  static func main() {
    FullExecutable.prepare()
    Commands.prepare()
    Network.use { try FullExecutable.becomeIt() }
    let word = CommandLine.arguments.dropFirst().first
    guard word != "--version", !configuration.subcommands.contains(where: { $0.configuration.commandName == word })
    else { return main(nil) }
    // Not only the other commands: also the help that lists them, completions, and the answer to a typing error.
    do { try FullExecutable.becomeIt() } catch {
      guard let word, FullExecutable.commands.contains(word) else { return main(nil) }
      StandardOutput.complain("pedometer: '\(word)' cannot be done here: \(error)")
      exit(withError: ExitCode(69))
    }
  }
}
