import Accelerometry
import Foundation
import History
import LinuxSensors
import Logging
import Pedometry
import Platform
import Presentation
import Recordings
import ServiceCore
import ServiceHTTP
import ServiceMessaging
import ServiceSettings
import SourceNames

package struct ServiceConfiguration: Sendable {
  var http = HTTPSettings()
  var isSelfSigned = false
  /// Whether to show the address of the page for phones as a QR code when the service is ready.
  package var showsInvitation = false
  /// The sources; empty: the best sensor.
  package var sources: [SourceURI] = []
  /// The state folder; `nil`: the user's.
  package var state: String?
  /// The folder whose exports are imported, absolute; `nil`: none.
  package var watchFolder: String?
  /// The day's goal until another one is set through the API.
  package var goal: Int?
  /// The zone of the user's days; `nil`: the computer's current zone.
  package var timeZone: TimeZone?
  /// What distances and days are computed with, until others are set through the API.
  package var walk = WalkSettings()
  /// How sensors are read.
  package var reading = SensorOptions.Use.thrifty
  /// Units, rate and columns of sources that do not state them.
  package var recordings = RecordingOptions()
  package var logLevel = Logger.Level.notice
  /// The MQTT broker; `nil`: none.
  package var mqtt: MQTTSettings?
  /// Whom the days are told; `nil`: nobody.
  var push: PushTarget?
  /// The bus on which the figures are available; `nil`: none.
  package var bus: BusPlace?

  /// Creates a configuration from settings.
  /// - Parameter environment: the service manager's `STATE_DIRECTORY` and `CREDENTIALS_DIRECTORY` provide defaults.
  /// - Throws: the first ``ConfigurationError``.
  package init(_ given: GivenSettings, environment: [String: String]) throws(ConfigurationError) {
    http = try Self.http(given, environment)
    isSelfSigned = try Self.isSelfSigned(given)
    for text in given[.sources] { sources.append(try Self.source(text)) }
    if let folder = given[.state].first, folder.text.isEmpty {
      throw ConfigurationError("missing folder; give one, such as /var/lib/pedometer", at: folder.place)
    }
    state = given[.state].first?.text ?? Self.firstFolder(environment["STATE_DIRECTORY"])
    if let text = given[.watchFolder].first { watchFolder = try Self.watchFolder(text, state: state) }
    goal = try given.value(.goal, or: "is not a goal; give a number of steps from 1 to 1000000, such as 8000") { text in
      Int(text).flatMap { GoalFile.goals.contains($0) ? $0 : nil }
    }
    timeZone = try given.value(.timeZone, or: "is not a time zone; give one such as Europe/Vienna") {
      TimeZone(named: $0)
    }
    // YAML's base-60 numbers are read as text.
    walk = try Self.walk(given)
    let modes: [String: SensorOptions.Use] = ["thrifty": .thrifty, "lively": .lively]
    let mode = try given.value(
      .reading, or: "is not a reading mode; write thrifty (every two seconds) or lively (20 times per second)"
    ) { modes[$0] }
    let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
    let level = try given.value(.logLevel, or: "is not a log level; use one of \(levels)") {
      Logger.Level(rawValue: $0)
    }
    (reading, logLevel) = (mode ?? reading, level ?? logLevel)
    recordings = try Self.recordings(given)
    mqtt = try MQTTSettings(given, environment: environment)
    push = try PushTarget(given)
    let places: [String: BusPlace?] = ["session": .session, "system": .system, "off": nil]
    let place: BusPlace?? = try given.value(.dbus, or: "is neither session, system nor off") { places[$0] }
    bus = place.flatMap(\.self)
  }

  /// The variable may contain several folders, separated by colons.
  private static func firstFolder(_ text: String?) -> String? {
    text.flatMap { $0.split(separator: ":").first.map(String.init) }
  }

  private static func http(
    _ given: GivenSettings, _ environment: [String: String]
  ) throws(ConfigurationError) -> HTTPSettings {
    var http = HTTPSettings()
    http.version = Version.current
    http.hostNames = given[.hostNames].map(\.text)
    http.token = try token(given[.tokenFile].first, environment)
    http.certificate = try certificate(given)
    let listen = given[.listen]
    if !listen.isEmpty { http.addresses = [] }
    for text in listen { http.addresses.append(try ListenAddress(text.text, at: text.place)) }
    do { try http.validate() } catch { throw ConfigurationError(error.message, at: listen.first?.place) }
    do { _ = try http.tlsConfiguration() } catch {
      throw ConfigurationError(error.message, at: given[.tlsCertificate].first?.place)
    }
    return http
  }

  private static func source(_ given: GivenText) throws(ConfigurationError) -> SourceURI {
    do {
      let uri = try SourceURI(parsing: given.text)
      if case .synthetic(let settings) = uri { _ = try SyntheticWalk(settings: settings).reader() }
      if case .file(let path) = uri, !FileManager.default.fileExists(atPath: path),
        let remedy = SourceURI.remedy(forAbsent: given.text)
      {
        throw ConfigurationError("'\(path)' is no file; \(remedy)", at: given.place)
      }
      if case .standardInput = uri {
        throw ConfigurationError("a service has no standard input; give a sensor, such as iio:device0", at: given.place)
      }
      if case .client = uri {
        throw ConfigurationError(
          "'\(uri)' is counted when it sends samples to /api/samples, so it is no setting; leave it out",
          at: given.place)
      }
      return uri
    } catch let error as ConfigurationError {
      throw error
    } catch { throw ConfigurationError("\(error)", at: given.place) }
  }

  private static func watchFolder(_ given: GivenText, state: String?) throws(ConfigurationError) -> String {
    guard !given.text.isEmpty else {
      throw ConfigurationError("missing folder; give one for exports, such as /srv/exports", at: given.place)
    }
    let folder = URL(fileURLWithPath: given.text).standardized.path
    let own = HistoryFolder(path: URL(fileURLWithPath: state ?? HistoryFolder.standard.path).standardized.path)
    guard folder != own.path else {
      throw ConfigurationError(
        "'\(given.text)' is the folder of the history; give another one for exports", at: given.place)
    }
    return folder
  }

  private static func walk(_ given: GivenSettings) throws(ConfigurationError) -> WalkSettings {
    if !given[.stepLength].isEmpty, let height = given[.height].first {
      throw ConfigurationError("step length and height exclude each other; give one of them", at: height.place)
    }
    var walk = WalkSettings()
    walk.stepLength = try metres(given, .stepLength, StepLengthModel.lengths, example: "0.72")
    walk.height = try metres(given, .height, StepLengthModel.heights, example: "1.80")
    walk.dayStart = try given.value(.dayStart, or: "is not a time of day; write HH:MM, such as 04:00") {
      DayCalendar.dayStart($0) == nil ? nil : $0
    }
    return walk
  }

  private static func metres(
    _ given: GivenSettings, _ key: SettingKey, _ range: ClosedRange<Double>, example: String
  ) throws(ConfigurationError) -> Double? {
    try given.value(
      key,
      or: "is out of range; give metres from \(range.lowerBound) to \(range.upperBound), such as \(example)"
    ) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  private static func recordings(_ given: GivenSettings) throws(ConfigurationError) -> RecordingOptions {
    var options = RecordingOptions()
    if let text = given[.units].first, text.text != "auto" {
      guard options.takeUnit(named: text.text) else {
        throw ConfigurationError(
          "'\(text.text)' is not a unit; give auto, g, mg, m/s2 or raw=COUNTS, such as raw=16384, or raw=102@512",
          at: text.place)
      }
    }
    options.samplingFrequency = try given.value(
      .rate, or: "is out of range; give 5 to 100000 samples per second, such as 50"
    ) { text in
      Double(text).flatMap { (5...100_000).contains($0) ? SamplingFrequency(hertz: $0) : nil }
    }
    options.columns = try given.value(
      .columns,
      or: "does not name columns; give time, x, y and z, or x, y and z, by name or number, such as t,x,y,z"
    ) { text in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return (3...4).contains(names.count) && !names.contains("") && Set(names).count == names.count ? names : nil
    }
    return options
  }

  private static func certificate(_ given: GivenSettings) throws(ConfigurationError) -> (chain: String, key: String)? {
    switch (given[.tlsCertificate].first, given[.tlsKey].first) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return (certificate.text, key.text)
    case (let one?, nil): throw ConfigurationError("tls-certificate needs tls-key", at: one.place)
    case (nil, let one?): throw ConfigurationError("tls-key needs tls-certificate", at: one.place)
    }
  }

  private static func isSelfSigned(_ given: GivenSettings) throws(ConfigurationError) -> Bool {
    guard
      try given.value(.tlsSelfSigned, or: "is neither true nor false", { ["true": true, "false": false][$0] })
        == true
    else { return false }
    if let other = given[.tlsCertificate].first {
      throw ConfigurationError(
        "tls-self-signed and tls-certificate exclude each other; give one of them", at: other.place)
    }
    return true
  }

  /// Reads the given token file, or else the service manager's credential.
  private static func token(
    _ given: GivenText?, _ environment: [String: String]
  ) throws(ConfigurationError) -> ServiceToken? {
    if let given { return try TokenFile.read(given.text, place: given.place) }
    guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/\(TokenFile.credential)"
    return SecretFile.exists(path) ? try TokenFile.read(path, place: path) : nil
  }
}
