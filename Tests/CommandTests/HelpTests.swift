import ArgumentParser
import Testing

@testable import PedometerCommands
@testable import pedometer_full

/// What the help shows is meant to be copied.
@Suite("Help", .timeLimit(.minutes(10)))
struct HelpTests {
  private static func all(_ commands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
    commands + commands.flatMap { all($0.configuration.subcommands) }
  }

  @Test("no example and no table of the help is longer than a line of 80 columns")
  func lines() {
    let commands = Self.all([PedometerCommand.self])
    #expect(commands.count > 12)
    for command in commands {
      for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(command.configuration.commandName ?? ""): \(line)")
      }
    }
  }
}
