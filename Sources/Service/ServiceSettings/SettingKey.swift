import Platform

/// The keys of the configuration file, which are also the long options.
package enum SettingKey: String, Sendable, Hashable, CaseIterable {
  case listen
  case sources
  case state
  case hostNames = "host-names"
  case tokenFile = "token-file"
  case goal
  case timeZone = "time-zone"
  case dayStart = "day-start"
  case height
  case stepLength = "step-length"
  case reading
  case units
  case rate
  case columns
  case tlsCertificate = "tls-certificate"
  case tlsKey = "tls-key"
  case tlsSelfSigned = "tls-self-signed"
  case logLevel = "log-level"
  case dbus
  case watchFolder = "watch-folder"
  // Keys of mappings; they are not options.
  case mqttURL = "mqtt.url"
  case mqttDiscovery = "mqtt.discovery"
  case mqttUsername = "mqtt.username"
  case mqttPasswordFile = "mqtt.password-file"
  case mqttCAFile = "mqtt.ca-file"
  case mqttName = "mqtt.name"
  case mqttTopic = "mqtt.topic"
  case mqttSubscribe = "mqtt.subscribe"
  case pushTo = "push.to"
  case pushURL = "push.url"
  case pushTokenFile = "push.token-file"
  case pushID = "push.id"
  case pushMethod = "push.method"
  case pushHeader = "push.header"
  case pushBody = "push.body"
  case pushDays = "push.days"

  package static func keys(of group: String) -> [SettingKey] { allCases.filter { $0.group == group } }

  /// Whether it takes several values.
  package var isList: Bool { [.sources, .listen, .hostNames, .mqttSubscribe].contains(self) }

  /// The mapping that contains it; `nil` for the whole file.
  package var group: String? { rawValue.firstIndex(of: ".").map { String(rawValue[..<$0]) } }

  package static let groups = ["mqtt", "push"]

  /// The key with a name in a mapping, or in the whole file. `password_file` and `passwordFile` are also accepted.
  package init?(_ name: String, in group: String?) {
    let words = name.replacing("_", with: "-")
    let written = words.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    let spelling = group == nil ? name : written
    self.init(rawValue: (group.map { $0 + "." } ?? "") + spelling)
    if self.group != group { return nil }
  }

  /// The option that sets it.
  package var option: String {
    switch self {
    case .sources: "--source"
    case .hostNames: "--host-name"
    default: "--\(rawValue)"
    }
  }

  /// The names in a mapping, or in the whole file.
  static func names(in group: String?) -> [String] {
    let prefix = group.map { $0.count + 1 } ?? 0
    return allCases.filter { $0.group == group }.map { String($0.rawValue.dropFirst(prefix)) }
      + (group == nil ? groups : [])
  }

  /// What to do instead of a key that has left.
  static func remedy(forFormer name: String) -> String? {
    guard ["notify", "notify-hours"].contains(name) else { return nil }
    return "desktop notifications were removed; delete the key, and use Home Assistant (key mqtt) or a script with "
      + "'pedometer status' instead"
  }

  /// The most similar name; `nil` if none is similar.
  static func nearest(to text: String, in group: String? = nil) -> String? {
    let names = names(in: group)
    let wanted = text.lowercased().replacing("_", with: "-")
    if names.contains(wanted) { return wanted }
    if group == nil, wanted == "source" { return "sources" }
    let near = names.map { ($0, editDistance(wanted, $0)) }.min { $0.1 < $1.1 }
    return near.flatMap { $0.1 <= max(1, $0.0.count / 3) ? $0.0 : nil }
  }
}
