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

  /// Decodes text. A `+` stays a plus, since blanks are `%20`. Invalid codes are not changed.
  package static func decode(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = String(decoding: bytes.dropFirst(index + 1).prefix(2), as: UTF8.self)
      // A number may have a sign.
      if bytes[index] == UInt8(ascii: "%"), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let byte = UInt8(digits, radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

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
