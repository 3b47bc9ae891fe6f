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

  @Test("an unknown format gets the known ones")
  func reading() throws {
    let foo = try Executable.built("pedometer").run(["count", "--input-format", "foo", "walk.csv"])
    #expect(foo.ending == .exit(64))
    #expect(foo.errors.contains("--input-format 'foo' is not supported; give one of auto, csv"))
  }

  @Test("--json is refused by the commands that have no --format, and by no other")
  func withoutJSON() {
    for command in FullCommand.configuration.subcommands {
      let name = command.configuration.commandName ?? ""
      let hasFormat = Self.all([command]).contains { $0.helpMessage().contains("--format <") }
      for arguments in [[name, "--json"], ["--json", name], ["-q", name, "a", "--json"]] {
        let obstacle = Commands.obstacle(toJSON: arguments)
        #expect((obstacle == nil) == hasFormat && obstacle?.hasPrefix("'\(name)' has no JSON output; ") != false)
      }
      #expect(Commands.obstacle(toJSON: [name, "--", "--json"]) == nil)
    }
    #expect(Commands.obstacle(toJSON: ["count", "--json=true"]) == "--json takes no value; write only --json")
    #expect(Commands.obstacle(toJSON: ["--json"]) == nil)
  }

  @Test("messages name --json as it was typed")
  func typedJSON() throws {
    let message = "pedometer: The value '--format' is invalid for '--goal <goal>'"
    #expect(Commands.plain(message, typed: ["pedometer", "live", "--goal", "--json"]).contains("value '--json' is"))
    #expect(Commands.plain(message, typed: ["pedometer", "live", "--goal", "--format", "json"]) == message)
    let analytics = try Executable.built("pedometer").run(["analytics", "--json"])
    #expect(analytics.ending == .exit(64))
    #expect(analytics.errorLines.first == "pedometer: 'analytics' has no JSON output; leave out --json")
    let convert = try Executable.built("pedometer").run(["convert", "a.csv", "-o", "b.csv", "--json"])
    #expect(convert.ending == .exit(64) && convert.errors.contains("'convert' has no JSON output; for JSON Lines"))
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
