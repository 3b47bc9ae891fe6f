import ServiceCore
import ServiceSettings
import ServiceWalkers

/// The clients' token.
///
/// It is never printed: neither by interpolation nor by a dump.
package struct ServiceToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  /// The minimum length of a token in characters: 16 random ones of 64 kinds cannot be guessed through a network.
  static let shortest = 16

  /// Creates a token from a file or a request, without surrounding blanks and line breaks.
  package init(_ text: String) throws(ConfigurationError) {
    let bytes = Array(text.utf8)
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else {
      throw ConfigurationError("the token is empty; write one of at least \(Self.shortest) characters into its file")
    }
    self.bytes = Array(bytes[first...last])
    guard self.bytes.count >= Self.shortest else {
      throw ConfigurationError(
        "the token has only \(self.bytes.count) characters; use at least \(Self.shortest), such as those that "
          + "`openssl rand -base64 24` prints")
    }
    guard self.bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw ConfigurationError(
        "the token contains characters not allowed in a header; use ASCII letters, digits and punctuation")
    }
  }

  /// Whether a client has sent this token, compared in a time that does not depend on where the two differ.
  func isEqual(to shown: some StringProtocol) -> Bool { WalkerToken.isSame(WalkerToken.digest(shown), digest) }

  /// The SHA-256, in hexadecimal digits.
  package var digest: String { SHA256.digits(of: bytes) }

  package var description: String { "a token" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
