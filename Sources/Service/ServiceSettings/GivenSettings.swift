/// A value as given by the user, with its location.
package struct GivenText: Sendable, Hashable {
  package var text: String
  /// `pedometerd.yaml:4`, or the option.
  package var place: String

  package init(_ text: String, at place: String) { (self.text, self.place) = (text, place) }
}

package struct GivenSettings: Sendable, Hashable {
  private var texts: [SettingKey: [GivenText]] = [:]

  /// Creates empty settings.
  package init() {}

  /// The values of a key; several for a list.
  package subscript(key: SettingKey) -> [GivenText] {
    get { texts[key] ?? [] }
    set { texts[key] = newValue.isEmpty ? nil : newValue }
  }

  /// The value of a key that takes one; `nil` without it.
  /// - Parameters:
  ///   - problem: what follows the text in the sentence if `read` gives no value for it.
  /// - Throws: ``ConfigurationError`` with the place of the text.
  package func value<Value>(
    _ key: SettingKey, or problem: String, _ read: (_ text: String) -> Value?
  ) throws(ConfigurationError) -> Value? {
    guard let given = self[key].first else { return nil }
    if let value = read(given.text) { return value }
    throw ConfigurationError("'\(given.text)' \(problem)", at: given.place)
  }

  package mutating func give(_ key: SettingKey, option values: [String]) {
    self[key] = values.map { GivenText($0, at: key.option) }
  }

  /// Combines settings; these take precedence.
  package func over(_ weaker: GivenSettings) -> GivenSettings {
    var all = self
    all.texts.merge(weaker.texts) { mine, _ in mine }
    return all
  }
}
