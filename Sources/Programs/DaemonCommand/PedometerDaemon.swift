import ArgumentParser
import Dispatch
import Foundation
import PedometerService
import Platform
import ServiceSettings
import Terminals

/// `pedometerd`: counts all day and serves the results.
package struct PedometerDaemon: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "pedometerd",
    abstract: "Count steps all day and serve the history",
    discussion: """
      Counts the steps of one or more sensors, including sensors that are plugged in later, keeps a history, and serves a \
      live page and an API. All options can also be set in a file (~/.config/pedometer/pedometerd.yaml, or else \
      /etc/pedometer/pedometerd.yaml); command-line options take precedence.

      EXAMPLES
        pedometerd
        pedometerd --source iio:device0 --goal 8000
        pedometerd --listen 0.0.0.0:8443 --token-file token --tls-self-signed --invite
        pedometerd --config pedometerd.yaml --check-config
        pedometerd walkers add Ann --team Red
        pedometerd push --dry-run
      """,
    version: Daemon.version, subcommands: [WalkersCommand.self, ChallengesCommand.self, PushCommand.self])

  @OptionGroup(title: "Counting") var counting: DaemonOptions
  @OptionGroup(title: "Serving") var serving: ServingOptions

  @Option(help: "Configuration file. (default: pedometer/pedometerd.yaml in ~/.config or /etc)", completion: .file())
  var config: String?

  @Flag(name: .customLong("check-config"), help: "Check the configuration and exit.")
  var checksConfig = false

  package init() {}

  /// The beginning of messages about the command line, the same as of all others.
  package static var _errorLabel: String { "pedometerd" }

  /// Runs the service, or one of the commands that change its files, and ends the process.
  ///
  /// The service's options come first in its own arguments; after the name of a command they belong to the command, so
  /// the commands are parsed by themselves.
  package static func runProcess() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard FileCommands.configuration.subcommands.contains(where: { $0.configuration.commandName == arguments.first })
    else { serve(arguments) }
    do {
      var command = try FileCommands.parseAsRoot(arguments)
      try command.run()
    } catch { end(FileCommands.self, after: error) }
    exit()
  }

  /// Ends the process after an error. The parser itself would not notice that help or the version cannot be written.
  private static func end(_ root: any ParsableCommand.Type, after error: any Error) -> Never {
    var error = error
    if root.exitCode(for: error) == .success {
      do { try StandardOutput.write(page: SourceCompletion.added(to: root.fullMessage(for: error))) } catch let failure
      { error = failure }
    }
    if error is StandardOutput.Closed || root.exitCode(for: error) == .success { exit() }
    guard let failure = error as? OutputFailure else { root.exit(withError: error) }
    complain("\(failure)")
    exit(withError: ExitCode(74))
  }

  /// The commands that change the files of the service, without its options.
  private struct FileCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pedometerd", subcommands: PedometerDaemon.configuration.subcommands)
    static var _errorLabel: String { PedometerDaemon._errorLabel }
  }

  private static func serve(_ arguments: [String]) -> Never {
    // Dispatch counts its threads there, and ends a process that cannot.
    guard unsafe access("/proc/self/stat", R_OK) == 0 else {
      complain("the service needs /proc, which cannot be read; mount it: mount -t proc proc /proc")
      exit(withError: ExitCode(71))
    }
    // Until the service has its own handlers there is nothing to save.
    for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    signal(SIGHUP, SIG_IGN)
    Task {
      do {
        var command = try parseAsRoot(arguments)
        if let daemon = command as? PedometerDaemon { try await daemon.run() } else { try command.run() }
      } catch { end(PedometerDaemon.self, after: error) }
      exit()
    }
    dispatchMain()
  }

  package func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let configuration: ServiceConfiguration
    do {
      configuration = try self.configuration(environment)
    } catch {
      complain("\(error)")
      throw ExitCode(78)
    }
    if checksConfig { return try StandardOutput.write(page: "configuration OK") }
    let daemon = Daemon(configuration, environment: environment)
    let hangUp = Self.onHangUp()
    defer { hangUp.cancel() }
    do {
      try await daemon.run()
    } catch let failure as DaemonFailure {
      complain(failure.description)
      throw ExitCode(failure.status.rawValue)
    }
  }

  /// SIGHUP does not end the service, which must not lose its sensors to a habit, and a restart loses no step.
  private static func onHangUp() -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler { complain("SIGHUP: a changed configuration takes effect when the service is restarted") }
    source.resume()
    return source
  }

  private func configuration(_ environment: [String: String]) throws(ConfigurationError) -> ServiceConfiguration {
    var configuration = try ServiceConfiguration(given.over(try Self.file(config)), environment: environment)
    configuration.showsInvitation = serving.invite
    return configuration
  }

  /// What the command line gives.
  var given: GivenSettings {
    var given = GivenSettings()
    counting.give(to: &given)
    serving.give(to: &given)
    return given
  }

  /// The command line of the service that this user runs; `nil` without one, or if there are several.
  static func running(in processes: String = "/proc") -> PedometerDaemon? {
    let all = (Platform.names(inFolder: processes) ?? []).compactMap { id -> PedometerDaemon? in
      guard let line = Platform.readFile("\(processes)/\(id)/cmdline", upTo: 1 << 16),
        let folder = Platform.resolvedPath("\(processes)/\(id)/cwd"),
        case let words = String(decoding: line, as: UTF8.self).split(separator: "\0").map(String.init),
        words.first?.split(separator: "/").last == "pedometerd",
        var daemon = try? parseAsRoot(Array(words.dropFirst())) as? PedometerDaemon, !daemon.checksConfig
      else { return nil }
      let place = { (path: String) in path.hasPrefix("/") ? path : "\(folder)/\(path)" }
      (daemon.counting.state, daemon.config) = (daemon.counting.state.map(place), daemon.config.map(place))
      return daemon
    }
    return all.count == 1 ? all[0] : nil
  }

  static func file(_ path: String?) throws(ConfigurationError) -> GivenSettings {
    let usual = ConfigurationFile.usualPaths(ProcessInfo.processInfo.environment)
    guard let path = path ?? usual.first(where: { unsafe access($0, F_OK) == 0 }) else { return GivenSettings() }
    return try ConfigurationFile.read(path)
  }
}

struct DaemonOptions: ParsableArguments {
  @Option(
    help: "A sensor as listed by 'pedometer devices', a recording or synthetic:…; may be repeated.",
    completion: .shellCommand(SourceCompletion.name))
  var source: [String] = []

  @Option(
    help: "Folder of the history and the goal. (default: $STATE_DIRECTORY or ~/.local/state/pedometer)",
    completion: .directory)
  var state: String?

  @Option(help: "Import the exports that appear in this folder: what 'pedometer import' reads.", completion: .directory)
  var watchFolder: String?

  @Option(parsing: .unconditional, help: "Steps per day, until a goal is set through the API.")
  var goal: String?

  @Option(help: "Time zone, such as Europe/Vienna. (default: this computer's)")
  var timeZone: String?

  @Option(help: "Start of the day, HH:MM. (default: 00:00)")
  var dayStart: String?

  @Option(
    parsing: .unconditional,
    help: "Body height in metres; step length is computed from height and cadence. (default: 1.70)")
  var height: String?

  @Option(parsing: .unconditional, help: "Step length in metres; excludes a height.")
  var stepLength: String?

  @Option(help: "thrifty (read every two seconds) or lively (20 times per second). (default: thrifty)")
  var reading: String?

  @Option(
    help:
      "For sources that do not state their unit: g, mg, m/s2, raw=COUNTS (per g) or raw=COUNTS@ZERO. (default: auto)")
  var units: String?

  @Option(parsing: .unconditional, help: "Samples per second, for sources without timestamps.")
  var rate: String?

  @Option(help: "The columns of time, x, y and z (or of x, y and z), by name or by number from 1.")
  var columns: String?

  func give(to given: inout GivenSettings) {
    given.give(.sources, option: source)
    let options: [(SettingKey, String?)] = [
      (.state, state), (.watchFolder, watchFolder), (.goal, goal), (.timeZone, timeZone), (.dayStart, dayStart),
      (.height, height), (.stepLength, stepLength), (.reading, reading), (.units, units), (.rate, rate),
      (.columns, columns),
    ]
    for (key, value) in options { given.give(key, option: value.map { [$0] } ?? []) }
  }
}

/// Where to serve it, and to whom.
struct ServingOptions: ParsableArguments {
  @Option(
    help: """
      Address to listen on; may be repeated. localhost:8080 means 127.0.0.1 and [::1]. (default: 127.0.0.1:8080)
      """)
  var listen: [String] = []

  @Option(help: "A host name for clients, such as steps.example.org; may be repeated.")
  var hostName: [String] = []

  @Option(
    help: "File with the token that clients must send; required if other machines can connect.", completion: .file())
  var tokenFile: String?

  @Option(help: "Certificate chain (PEM); the service then accepts only TLS.", completion: .file())
  var tlsCertificate: String?

  @Option(help: "Private key of the certificate (PEM).", completion: .file())
  var tlsKey: String?

  @Flag(
    help: "Accept only TLS, with a certificate that the service creates and keeps in its state folder. Needs openssl.")
  var tlsSelfSigned = false

  @Flag(help: "Print the address of the page for phones, also as a QR code, when the service is ready.")
  var invite = false

  @Option(help: "Offer the figures on D-Bus: session, system or off. (default: off)")
  var dbus: String?

  @Option(help: "trace, debug, info, notice, warning, error or critical. (default: notice)")
  var logLevel: String?

  func give(to given: inout GivenSettings) {
    given.give(.listen, option: listen)
    given.give(.hostNames, option: hostName)
    given.give(.tlsSelfSigned, option: tlsSelfSigned ? ["true"] : [])
    let options: [(SettingKey, String?)] = [
      (.tokenFile, tokenFile), (.tlsCertificate, tlsCertificate), (.tlsKey, tlsKey),
      (.logLevel, logLevel), (.dbus, dbus),
    ]
    for (key, value) in options { given.give(key, option: value.map { [$0] } ?? []) }
  }
}
