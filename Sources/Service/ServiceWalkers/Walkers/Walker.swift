import JSONLines
import Platform
import ServiceCore

/// Someone who walks with this service: its owner, or a person whom the owner has given a token.
package struct Walker: Sendable, Hashable, Codable {
  /// A random word, which is also the name of the folder of the history; `owner` for the owner.
  package var id: String
  /// Unique among the walkers.
  package var name: String
  /// The team in challenges with teams.
  package var team: String?
  /// The SHA-256 of the token; `nil` for the owner, and after a removal that keeps the history.
  package var digest: String?

  /// The owner's identifier.
  package static let ownerID = "owner"

  package var isOwner: Bool { id == Self.ownerID }
  /// Whether the walker has no access any more, while the history is kept.
  package var isRemoved: Bool { !isOwner && digest == nil }

  /// For `GET /api/walker` and `walkers list`.
  package var json: JSONLine {
    JSONLine(["name": name, "team": team, "role": isOwner ? "owner" : isRemoved ? "removed" : "walker"])
  }
}

/// The tokens of walkers.
///
/// A token has 192 random bits, so a plain SHA-256 of it cannot be reversed: only words that people choose need a slow hash.
package enum WalkerToken {
  static func make() -> String { random(bytes: 24) }

  /// Random hexadecimal digits.
  package static func random(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<bytes).map { _ in (generator.next() as UInt8).padded(2, radix: 16) }.joined()
  }

  /// The SHA-256, in 64 hexadecimal digits.
  package static func digest(_ token: some StringProtocol) -> String { SHA256.digits(of: Array(token.utf8)) }

  /// Whether two digests are equal, compared in a time that does not depend on where they differ.
  package static func isSame(_ first: String, _ second: String) -> Bool {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
