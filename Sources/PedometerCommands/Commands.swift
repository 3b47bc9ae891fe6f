import ArgumentParser
import Glibc
import Presentation

/// The commands of `pedometer`, for both executables.
package enum Commands {
  /// The commands with a walk.
  package static let walking: [any ParsableCommand.Type] = [
    CountCommand.self, LiveCommand.self, RecordCommand.self, ChaseCommand.self, DevicesCommand.self,
    ConvertCommand.self, InfoCommand.self,
  ]

  /// The other commands. None of them needs a database, and a network only on request.
  package static let others: [any ParsableCommand.Type] = [
    DoctorCommand.self, BoardCommand.self, SimulateCommand.self, AnalyticsCommand.self,
  ]

  /// Call this first: prevents libdispatch from writing to the system log about thread priorities.
  package static func prepare() { unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }

  /// The root command.
  package static func root(of subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
    var examples = [
      "count walk.csv", "devices", "live --wait", "simulate --cadence 110 --duration 60 | pedometer count -",
      "chase synthetic:cadence=115 --goal 300",
    ]
    if subcommands.contains(where: { $0.configuration.commandName == "history" }) { examples.append("history --week") }
    return CommandConfiguration(
      commandName: "pedometer",
      abstract: "Count steps from an accelerometer or a recording",
      discussion: "EXAMPLES\n" + examples.map { "  pedometer \($0)" }.joined(separator: "\n"),
      version: Version.current,
      subcommands: subcommands)
  }
}
