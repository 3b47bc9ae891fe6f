/// What can be set: the keys of the configuration file, which are the long options too.
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

  /// Whether it takes several values.
  var isList: Bool { self == .sources || self == .listen || self == .hostNames }

  /// The option that sets it.
  var option: String {
    switch self {
    case .sources: "--source"
    case .hostNames: "--host-name"
    default: "--\(rawValue)"
    }
  }

  /// The key that somebody may have meant; `nil` when none is near.
  static func nearest(to text: String) -> SettingKey? {
    let wanted = text.lowercased().replacing("_", with: "-")
    if let same = allCases.first(where: { $0.rawValue == wanted }) { return same }
    if wanted == "source" { return .sources }
    let near = allCases.map { ($0, distance(wanted, $0.rawValue)) }.min { $0.1 < $1.1 }
    return near.flatMap { $0.1 <= max(1, $0.0.rawValue.count / 3) ? $0.0 : nil }
  }

  /// How many letters have to be put in, taken out or exchanged (Levenshtein's distance).
  private static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, corner + (letter == other ? 0 : 1))
        corner = above
      }
    }
    return row[second.count]
  }
}

/// A value as somebody wrote it, and where.
package struct GivenText: Sendable, Hashable {
  package var text: String
  /// `pedometerd.yaml:4`, or the option.
  package var place: String

  package init(_ text: String, at place: String) {
    self.text = text
    self.place = place
  }
}

/// Settings as they were given, of one place or several.
package struct GivenSettings: Sendable, Hashable {
  private var texts: [SettingKey: [GivenText]] = [:]

  /// Nothing is given.
  package init() {}

  /// What was given for a key; several for a list.
  package subscript(key: SettingKey) -> [GivenText] {
    get { texts[key] ?? [] }
    set { texts[key] = newValue.isEmpty ? nil : newValue }
  }

  /// Gives an option, if it is there.
  package mutating func give(_ key: SettingKey, option values: [String]) {
    self[key] = values.map { GivenText($0, at: key.option) }
  }

  /// The same where these win.
  package func over(_ weaker: GivenSettings) -> GivenSettings {
    var all = self
    all.texts.merge(weaker.texts) { mine, _ in mine }
    return all
  }
}

/// What is wrong with the configuration: where, and one sentence.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file and its line, or an option; `nil` for what concerns no place.
  package var place: String?
  /// What is wrong and what to write instead.
  package var message: String

  package init(_ message: String, at place: String? = nil) {
    self.place = place
    self.message = message
  }

  package var description: String { place.map { "\($0): \(message)" } ?? message }
}
