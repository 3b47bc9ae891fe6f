import ArgumentParser
import LiveCounting

/// The command line of the pedometer.
@main
struct PedometerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pedometer",
    abstract: "Count steps from an accelerometer or a recording",
    discussion: """
      EXAMPLES
        pedometer count walk.csv
        pedometer devices
        pedometer live --wait
        pedometer simulate --cadence 110 --duration 60 | pedometer count -
        pedometer chase synthetic:cadence=115 --goal 300
        pedometer history --week
      """,
    version: Version.current,
    subcommands: [
      CountCommand.self, LiveCommand.self, RecordCommand.self, ChaseCommand.self, DevicesCommand.self,
      HistoryCommand.self, ExportCommand.self, DoctorCommand.self, SimulateCommand.self, AnalyticsCommand.self,
    ])
}
