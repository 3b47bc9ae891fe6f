import Analytics
import ArgumentParser
import Glibc
import LiveSources
import Terminals

struct AnalyticsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analytics",
    abstract: "Report your chases to your own service (off by default)",
    discussion: """
      Reporting is off until you turn it on. It then sends a report to the service that you name when you start, pause, \
      win or lose a chase, set a goal or dismiss an alert: what happened, when and how long it took, and the computer's \
      model, operating system and program version. Reports contain no steps, places or names.

      EXAMPLES
        pedometer analytics on --url http://127.0.0.1:8080 --token-file ~/token
        pedometer analytics off
      """,
    subcommands: [On.self, Off.self, Former.self])

  fileprivate static func machine() throws -> AnalyticsMachine {
    StandardOutput.ignoreBrokenPipes()
    guard let machine = AnalyticsMachine.current else {
      throw ExitStatus.configuration.failure("no folder for settings; set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME")
    }
    return machine
  }

  fileprivate static func save(_ settings: AnalyticsSettings, _ machine: AnalyticsMachine) throws {
    do {
      try settings.save(to: machine.places.settings)
    } catch { throw ExitStatus.cannotCreate.failure("\(error)") }
  }

  /// Prints text; a closed reader is not a failure.
  fileprivate static func say(_ text: String) throws {
    do { try StandardOutput.write(text) } catch is StandardOutput.Closed {}
  }

  struct On: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "on", abstract: "Turn reporting on")

    @Option(help: "The service, such as http://127.0.0.1:8080 or https://HOST.")
    var url: String

    @Option(help: "The file whose first line is the service's token.")
    var tokenFile: String

    func run() throws {
      let machine = try AnalyticsCommand.machine()
      let address: AnalyticsAddress
      do {
        address = try AnalyticsAddress(url)
      } catch { throw ExitStatus.usage.failure("\(error)") }
      let settings = AnalyticsSettings(isOn: true, url: "\(address)", tokenFile: Self.absolute(tokenFile))
      try AnalyticsCommand.save(settings, machine)
      if settings.token() == nil {
        complain("\(settings.tokenFile ?? tokenFile) contains no token yet; reports stay queued until it does")
      }
      if !address.isPrivate { complain("\(address) is not encrypted, so others may read the token; use https://") }
      try AnalyticsCommand.say("Reporting is on; 'pedometer doctor --verbose' shows where to, and an example.\n")
    }

    private static func absolute(_ path: String) -> String {
      if path.hasPrefix("/") { return path }
      var buffer = [CChar](repeating: 0, count: 4096)
      guard let folder = unsafe getcwd(&buffer, buffer.count) else { return path }
      return unsafe String(cString: folder) + "/" + path
    }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "off", abstract: "Turn reporting off and discard queued reports")

    func run() throws {
      let machine = try AnalyticsCommand.machine()
      var settings = machine.settings()
      settings.isOn = false
      try AnalyticsCommand.save(settings, machine)
      do {
        let count = try machine.spool().discardNow()
        try AnalyticsCommand.say("Reporting is off; \(count) queued reports discarded.\n")
      } catch let failure as SystemFailure {
        throw ExitStatus.io.failure(
          "reporting is off, but the queue in \(machine.places.spool) could not be deleted: \(failure); remove it")
      }
    }
  }

  struct Former: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", shouldDisplay: false, aliases: ["flush"])

    @Argument(parsing: .allUnrecognized)
    var others: [String] = []

    func run() throws {
      throw ExitStatus.usage.failure("'pedometer doctor' shows what is queued, and the next chase sends it")
    }
  }
}
