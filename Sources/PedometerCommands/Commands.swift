import ArgumentParser
import Glibc
import Presentation

/// The commands of `pedometer`, for the executables that offer them.
package enum Commands {
  /// Those with a walk.
  package static let walking: [any ParsableCommand.Type] = [
    CountCommand.self, LiveCommand.self, RecordCommand.self, ChaseCommand.self, DevicesCommand.self,
    ConvertCommand.self, InfoCommand.self,
  ]

  /// The others. None of all these needs a database, nor a network before somebody asks for it.
  package static let others: [any ParsableCommand.Type] = [
    DoctorCommand.self, BoardCommand.self, SimulateCommand.self, AnalyticsCommand.self,
  ]

  /// To be called before anything else: turns off what libdispatch tells the system's log of thread priorities.
  package static func prepare() { unsafe setenv("LIBDISPATCH_LOG", "NO", 0) }

  /// What stands above them on the command line.
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
