import ArgumentParser

@main
struct PedometerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pedometer", abstract: "Count steps", subcommands: [SimulateCommand.self])
}
