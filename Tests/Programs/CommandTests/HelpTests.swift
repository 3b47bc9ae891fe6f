import ArgumentParser
import TestSupport
import Testing

@testable import PedometerCommands
@testable import pedometer_full

/// The help is meant to be copied.
@Suite("Help", .timeLimit(.minutes(30)), .ownThreads)
struct HelpTests {
  private static func all(_ commands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
    commands + commands.flatMap { all($0.configuration.subcommands) }
  }

  @Test("no example and no table of the help is wider than 80 columns")
  func lines() {
    let commands = Self.all([FullCommand.self])
    #expect(commands.count > 12)
    for command in commands {
      for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(command.configuration.commandName ?? ""): \(line)")
      }
    }
  }

  @Test("help reading names every command that reads recordings, and an unknown format gets the known ones")
  func reading() throws {
    let readers = Commands.walking.filter { $0.helpMessage().contains("--input-format") }
    #expect(readers.count == 7)
    for command in readers { #expect(ReadingHelp.page.contains(command.configuration.commandName ?? "?")) }
    let foo = try Executable.built("pedometer").run(["count", "--input-format", "foo", "walk.csv"])
    #expect(foo.ending == .exit(64))
    #expect(foo.errors.contains("--input-format foo is not supported; give one of auto, csv"))
  }

  @Test("flags that exclude each other are named in a plain sentence")
  func exclusiveFlags() throws {
    let history = try Executable.built("pedometer-full").run(["history", "--week", "--month"])
    #expect(history.ending == .exit(64) && history.output.isEmpty)
    #expect(history.errorLines.first == "pedometer: '--week' and '--month' cannot be combined")
    #expect(history.errors.contains("Usage: pedometer history"))
  }

  @Test("help for a command that does not exist is a usage error, and for one that exists is its help")
  func unknownCommand() throws {
    let bogus = try Executable.built("pedometer").run(["help", "bogus"])
    #expect(bogus.ending == .exit(64) && bogus.output.isEmpty && bogus.errors.contains("'bogus' is not a command"))
    let count = try Executable.built("pedometer").run(["help", "count"])
    #expect(count.ending == .exit(0) && count.output.contains("USAGE: pedometer count"))
  }
}
