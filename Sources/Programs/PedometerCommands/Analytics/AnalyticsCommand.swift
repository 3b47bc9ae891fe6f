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
    subcommands: [On.self, Off.self, Status.self, Flush.self])

  fileprivate static func machine() throws -> AnalyticsMachine {
    StandardOutput.ignoreBrokenPipes()
    guard let machine = AnalyticsMachine.current else {
      throw ExitStatus.configuration.failure("no folder for settings; set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME")
    }
    return machine
  }

  fileprivate static func save(_ settings: AnalyticsSettings, _ machine: AnalyticsMachine) throws {
    EarlyEnd.settlesFiles()
    do {
      try settings.save(to: machine.places.settings)
    } catch { throw ExitStatus.cannotCreate.failure("\(error)") }
  }

  /// Prints text; a closed reader is not a failure.
  fileprivate static func say(_ text: String) throws {
    do { try StandardOutput.write(text) } catch is StandardOutput.Closed {}
  }

  /// The settings; exits with 78 if they cannot be read.
  fileprivate static func settings(_ machine: AnalyticsMachine) throws -> AnalyticsSettings {
    do {
      return try AnalyticsSettings.load(from: machine.places.settings)
    } catch { throw ExitStatus.configuration.failure("\(error)") }
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
      try AnalyticsCommand.say(AnalyticsReport(machine).text)
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
      var settings = (try? AnalyticsSettings.load(from: machine.places.settings)) ?? AnalyticsSettings()
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

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the settings and the number of queued reports")

    @Option(help: "text or json.")
    var format = TextOrJSON.text

    func run() throws {
      let machine = try AnalyticsCommand.machine()
      _ = try AnalyticsCommand.settings(machine)
      let report = AnalyticsReport(machine)
      try AnalyticsCommand.say(format == .json ? report.json : report.text)
    }
  }

  struct Flush: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "flush", abstract: "Deliver queued reports now")

    @Option(parsing: .unconditional, help: "Give up after this many seconds.")
    var timeout = 30.0

    func validate() throws {
      guard timeout > 0, timeout <= 86_400 else {
        throw ValidationError("--timeout takes seconds, above 0 and up to 86400, such as --timeout 30")
      }
    }

    func run() throws {
      let machine = try AnalyticsCommand.machine()
      guard try AnalyticsCommand.settings(machine).isOn else {
        throw ExitStatus.configuration.failure("reporting is off; turn it on with 'pedometer analytics on'")
      }
      let spool = machine.spool()
      let before = spool.statusNow()
      let delivery = machine.delivery(of: spool)
      let outcome = Waiting.atMost(.seconds(timeout)) { await delivery.drain() }
      let after = spool.statusNow()
      let delivered = before.waiting - after.waiting - (after.refused - before.refused)
      try AnalyticsCommand.say("Delivered \(max(0, delivered)) of \(before.waiting) reports.\n")
      if after.refused > before.refused { complain("the service refused \(after.refused - before.refused) of them") }
      switch outcome {
      case .empty?:
        if let failure = after.failure {
          throw ExitStatus.io.failure("the queue in \(machine.places.spool) cannot be used: \(failure)")
        }
      case .waits(_, let reason)?, .held(let reason)?: throw ExitStatus.busy.failure(reason)
      default:
        throw ExitStatus.busy.failure("the service did not answer in time; the remaining reports stay queued")
      }
    }
  }
}
