import Foundation
import NIOSSL
import RaceRoom
import ServiceCore
import ServiceSettings

/// The MQTT broker, what is published there, and what is read from it.
package struct MQTTSettings: Sendable, Hashable {
  /// A name or an address, without brackets.
  var host: String
  var port: Int
  var isEncrypted: Bool
  var user: String?
  var password: Secret?
  /// A file with the certificates (PEM) of the authorities to trust; `nil`: the system's.
  var authorities: String?
  /// The prefix of Home Assistant's discovery messages; `nil`: none.
  var discovery: String? = usualDiscovery
  var name = "Pedometer"
  /// The prefix of all other topics; `nil`: `pedometer/` and the device's identity.
  var topic: String?
  /// Topics, with wildcards, on which clients send samples or steps.
  var subscriptions: [String] = []

  static let usualDiscovery = "homeassistant"
  /// The longest topic in bytes that is accepted in the settings.
  static let longestTopic = 200

  var address: String { "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Whether the password crosses the network in the clear.
  var exposesPassword: Bool { password != nil && !isEncrypted && host != "localhost" && !Loopback.includes(host) }

  /// Reads the keys below `mqtt`; `nil` if there are none.
  /// - Parameter environment: the service manager's `CREDENTIALS_DIRECTORY` provides a default for the password.
  package init?(_ given: GivenSettings, environment: [String: String]) throws(ConfigurationError) {
    let all = SettingKey.keys(of: "mqtt").flatMap { given[$0] }
    guard let first = all.first else { return nil }
    guard let url = given[.mqttURL].first else {
      throw ConfigurationError("mqtt.url is missing; add url: mqtts://HOST below mqtt", at: first.place)
    }
    (host, port, isEncrypted) = try Self.broker(url)
    user = given[.mqttUsername].first?.text
    password = try Self.password(given, environment).map { Secret($0) }
    if user == nil, let text = given[.mqttPasswordFile].first {
      throw ConfigurationError("mqtt.password-file needs mqtt.username", at: text.place)
    }
    if let text = given[.mqttCAFile].first { authorities = try Self.authorities(text, isEncrypted) }
    if let text = given[.mqttDiscovery].first {
      discovery = text.text == "off" ? nil : try Self.topic(text, .mqttDiscovery, example: "homeassistant, or off")
    }
    if let text = given[.mqttName].first { name = try Self.name(text) }
    if let text = given[.mqttTopic].first { topic = try Self.topic(text, .mqttTopic, example: "pedometer/ann") }
    for text in given[.mqttSubscribe] { subscriptions.append(try Self.filter(text)) }
  }

  init(host: String, port: Int, isEncrypted: Bool = false) {
    (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
  }

  private static func broker(
    _ given: GivenText
  ) throws(ConfigurationError) -> (host: String, port: Int, isEncrypted: Bool) {
    let parts = URLComponents(string: given.text)
    if parts?.user != nil || parts?.password != nil {
      throw ConfigurationError(
        "mqtt.url contains a user or a password; use mqtt.username and mqtt.password-file", at: given.place)
    }
    guard let parts, let scheme = parts.scheme, ["mqtt", "mqtts"].contains(scheme), let host = parts.host,
      !host.isEmpty, ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil,
      (1...65_535).contains(parts.port ?? 1)
    else {
      throw ConfigurationError(
        "mqtt.url '\(given.text)' is not the address of a broker; write mqtts://HOST or mqtt://HOST, if needed with "
          + ":PORT, such as mqtts://broker.example:8883", at: given.place)
    }
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    return (bare, parts.port ?? (scheme == "mqtts" ? 8883 : 1883), scheme == "mqtts")
  }

  /// Its name among the credentials of the service manager.
  static let credential = "pedometerd.mqtt-password"

  private static func password(
    _ given: GivenSettings, _ environment: [String: String]
  ) throws(ConfigurationError) -> String? {
    var file = given[.mqttPasswordFile].first
    if file == nil, !given[.mqttUsername].isEmpty, let folder = environment["CREDENTIALS_DIRECTORY"] {
      let path = "\(folder)/\(credential)"
      if SecretFile.exists(path) { file = GivenText(path, at: path) }
    }
    guard let file else { return nil }
    let text = try SecretFile.text(of: file.text, "mqtt.password-file", create: "cat", place: file.place)
    let password = text.hasSuffix("\n") ? String(text.dropLast()) : text
    guard !password.isEmpty, !password.contains(where: { $0.isNewline || $0 == "\0" }) else {
      throw ConfigurationError("mqtt.password-file: \(file.text) must contain one line, the password", at: file.place)
    }
    return password
  }

  private static func authorities(_ given: GivenText, _ isEncrypted: Bool) throws(ConfigurationError) -> String {
    guard isEncrypted else {
      throw ConfigurationError("mqtt.ca-file needs TLS; write mqtts:// in mqtt.url", at: given.place)
    }
    guard let found = try? NIOSSLCertificate.fromPEMFile(given.text), !found.isEmpty else {
      throw ConfigurationError(
        "mqtt.ca-file: \(given.text) cannot be read as certificates; give a PEM file that this user may read",
        at: given.place)
    }
    return given.text
  }

  private static func name(_ given: GivenText) throws(ConfigurationError) -> String {
    if RoomName.problem(with: given.text, limit: 64) == .unfit {
      throw ConfigurationError("mqtt.name contains control characters or invisible ones; remove them", at: given.place)
    }
    guard (1...64).contains(given.text.count) else {
      throw ConfigurationError("mqtt.name has 1 to 64 characters, such as Ann's steps", at: given.place)
    }
    return given.text
  }

  /// A topic to publish to: MQTT 3.1.1, section 4.7, without the odd names that it permits.
  private static func topic(
    _ given: GivenText, _ key: SettingKey, example: String
  ) throws(ConfigurationError) -> String {
    let levels = given.text.split(separator: "/", omittingEmptySubsequences: false)
    guard isTopic(given.text), !given.text.contains(where: { "+#".contains($0) }), !levels.contains("") else {
      throw ConfigurationError(
        "\(key.rawValue) '\(given.text)' is not a topic; write words separated by slashes, without + and #, such as "
          + example, at: given.place)
    }
    return given.text
  }

  private static func filter(_ given: GivenText) throws(ConfigurationError) -> String {
    let levels = given.text.split(separator: "/", omittingEmptySubsequences: false)
    let areWildcardsAlone = levels.allSatisfy { $0 == "+" || $0 == "#" || !$0.contains { "+#".contains($0) } }
    guard isTopic(given.text), areWildcardsAlone, !levels.dropLast().contains("#") else {
      throw ConfigurationError(
        "mqtt.subscribe '\(given.text)' is not a topic; write one such as phones/+/samples or steps/#",
        at: given.place)
    }
    return given.text
  }

  private static func isTopic(_ text: String) -> Bool {
    (1...longestTopic).contains(text.utf8.count) && !text.hasPrefix("$")
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
