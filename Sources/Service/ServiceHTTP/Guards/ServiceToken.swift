import ServiceCore
import ServiceWalkers

/// The clients' token.
///
/// It is never printed: neither by interpolation nor by a dump.
package struct ServiceToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  /// The minimum length of a token in characters: 16 random ones of 64 kinds cannot be guessed through a network.
  static let shortest = 16

  /// Creates a token from a file or a request, without surrounding blanks and line breaks.
  package init(_ text: String) throws(SettingsError) {
    let bytes = Array(text.utf8)
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { throw .emptyToken }
    self.bytes = Array(bytes[first...last])
    guard self.bytes.count >= Self.shortest else { throw .shortToken(self.bytes.count) }
    guard self.bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .oddToken }
  }

  /// Whether a client has sent this token, compared in a time that does not depend on where the two differ.
  func isEqual(to shown: some StringProtocol) -> Bool { WalkerToken.isSame(WalkerToken.digest(shown), digest) }

  /// The SHA-256, in hexadecimal digits.
  package var digest: String { SHA256.digits(of: bytes) }

  package var description: String { "a token" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
