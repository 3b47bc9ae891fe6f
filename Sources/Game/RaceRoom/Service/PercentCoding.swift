import Foundation

/// Percent-encoding of text in a query: RFC 3986.
package enum PercentCoding {
  /// Encodes everything but letters, digits, `-`, `.`, `_` and `~`, so that `&`, `=`, `+`, `#` and all other characters
  /// round-trip.
  package static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  private static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  /// Decodes text. A `+` stays a plus, since blanks are `%20`. Text with an invalid code is not changed.
  package static func decode(_ text: some StringProtocol) -> String { text.removingPercentEncoding ?? String(text) }

  /// The parameters of a query. One without `=` has an empty value; of several with the same name, the first counts.
  package static func query(_ text: some StringProtocol) -> [String: String] {
    var result: [String: String] = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = decode(pair[0])
      if result[name] == nil { result[name] = pair.count > 1 ? decode(pair[1]) : "" }
    }
    return result
  }
}
