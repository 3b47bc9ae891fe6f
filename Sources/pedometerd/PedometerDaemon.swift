import ArgumentParser
import Foundation
import Glibc
import PedometerService

/// `pedometerd`: counts all day and serves what was walked.
@main
struct PedometerDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pedometerd",
    abstract: "Count all day, remember and serve",
    discussion: """
      Counts the steps of one or several sensors, also of those that are plugged in later, keeps them in a history, and \
      serves a live page and an API. Everything can also be set in a file (/etc/pedometer/pedometerd.yaml, or --config); \
      options win over it.

      EXAMPLES
        pedometerd
        pedometerd --source iio:device0 --goal 8000
        pedometerd --listen 0.0.0.0:8080 --token-file /etc/pedometer/token
        pedometerd --config pedometerd.yaml --check-config

      EXIT CODES
        0  ended by SIGTERM or SIGINT      64 usage
        73 the state folder cannot be made 74 I/O error
        75 another program writes the history
        77 not permitted                   78 the configuration is wrong
      """,
    version: Daemon.version)

  @OptionGroup(title: "What is counted") var counting: CountingOptions
  @OptionGroup(title: "How it is served") var serving: ServingOptions

  @Option(help: "The file with settings. (default: /etc/pedometer/pedometerd.yaml, if it is there)")
  var config: String?

  @Flag(name: .customLong("check-config"), help: "Say whether the settings are right, and end.")
  var checksConfig = false

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let configuration: ServiceConfiguration
    do {
      configuration = try self.configuration(environment)
    } catch {
      complain("\(error)")
      throw ExitCode(78)
    }
    if checksConfig {
      print("the configuration is right")
      return
    }
    do {
      try await Daemon(configuration, environment: environment).run()
    } catch let failure as DaemonFailure {
      complain(failure.description)
      throw ExitCode(failure.status.rawValue)
    }
  }

  private func configuration(_ environment: [String: String]) throws(ConfigurationError) -> ServiceConfiguration {
    var given = GivenSettings()
    counting.give(to: &given)
    serving.give(to: &given)
    if let config {
      given = given.over(try ConfigurationFile.read(config))
    } else if unsafe access(ConfigurationFile.standardPath, F_OK) == 0 {
      given = given.over(try ConfigurationFile.read(ConfigurationFile.standardPath))
    }
    return try ServiceConfiguration(given, environment: environment)
  }

  private func complain(_ message: String) {
    FileHandle.standardError.write(Data("pedometerd: \(message)\n".utf8))
  }
}

/// What is counted, for whom, and where it is kept.
struct CountingOptions: ParsableArguments {
  @Option(help: "A sensor as 'pedometer devices' lists them, a recording or synthetic:…; may be given several times.")
  var source: [String] = []

  @Option(help: "The folder of what is kept. (default: $STATE_DIRECTORY, else ~/.local/state/pedometer)")
  var state: String?

  @Option(help: "Steps a day, until another goal is set over the API.")
  var goal: String?

  @Option(name: .customLong("time-zone"), help: "Where your days begin, as Europe/Vienna. (default: the machine's)")
  var timeZone: String?

  @Option(name: .customLong("day-start"), help: "When your days begin. (default: 00:00)")
  var dayStart: String?

  @Option(help: "Body height in metres; step lengths follow from it and the cadence. (default: 1.70)")
  var height: String?

  @Option(name: .customLong("step-length"), help: "Metres a step.")
  var stepLength: String?

  @Option(help: "thrifty (a look every two seconds) or lively (twenty a second). (default: thrifty)")
  var reading: String?

  @Option(help: "Of sources that do not state it: g, mg, m/s2 or raw=COUNTS, where COUNTS make one g. (default: auto)")
  var units: String?

  @Option(help: "Samples a second, for sources without timestamps.")
  var rate: String?

  @Option(help: "The columns of time, x, y and z (or of x, y and z), by name or by number from 1.")
  var columns: String?

  func give(to given: inout GivenSettings) {
    given.give(.sources, option: source)
    let options: [(SettingKey, String?)] = [
      (.state, state), (.goal, goal), (.timeZone, timeZone), (.dayStart, dayStart), (.height, height),
      (.stepLength, stepLength), (.reading, reading), (.units, units), (.rate, rate), (.columns, columns),
    ]
    for (key, value) in options { given.give(key, option: value.map { [$0] } ?? []) }
  }
}

/// Where it is served, and to whom.
struct ServingOptions: ParsableArguments {
  @Option(
    help: """
      The address to listen on; may be given several times. localhost:8080 is 127.0.0.1 and [::1]. (default: \
      127.0.0.1:8080)
      """)
  var listen: [String] = []

  @Option(name: .customLong("host-name"), help: "A name under which clients may ask, as steps.example.org.")
  var hostName: [String] = []

  @Option(
    name: .customLong("token-file"),
    help: "The file with the secret that clients have to show; needed where others than this machine may connect.")
  var tokenFile: String?

  @Option(name: .customLong("tls-certificate"), help: "A certificate chain (PEM); with it only TLS is spoken.")
  var tlsCertificate: String?

  @Option(name: .customLong("tls-key"), help: "The certificate's key (PEM).")
  var tlsKey: String?

  @Option(
    name: .customLong("log-level"), help: "trace, debug, info, notice, warning, error or critical. (default: notice)")
  var logLevel: String?

  func give(to given: inout GivenSettings) {
    given.give(.listen, option: listen)
    given.give(.hostNames, option: hostName)
    let options: [(SettingKey, String?)] = [
      (.tokenFile, tokenFile), (.tlsCertificate, tlsCertificate), (.tlsKey, tlsKey),
      (.logLevel, logLevel),
    ]
    for (key, value) in options { given.give(key, option: value.map { [$0] } ?? []) }
  }
}
