import Foundation
import RaceRoom

/// The owner, and the walkers whom the owner has given a token.
package struct WalkerList: Sendable, Hashable, Codable {
  private var version = 1
  /// The service's own sensors count for the owner.
  package private(set) var owner = Walker(id: Walker.ownerID, name: "Owner")
  /// In the order in which they were added.
  package private(set) var walkers: [Walker] = []
  /// Codes and tokens of phones; `nil` in the files of earlier versions.
  var phones: [PhonePass]?

  /// The maximum number of walkers, including removed ones whose history is kept.
  package static let most = 64
  /// The maximum length of a name or a team in characters.
  package static let nameLength = 40

  /// Creates a list without walkers.
  package init() {}

  /// Whether it can be one that this type has written.
  var isSound: Bool {
    let ids = walkers.map(\.id)
    return version == 1 && owner.isOwner && owner.digest == nil && Set(ids).count == ids.count
      && ids.allSatisfy { $0.utf8.count == 16 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } }
  }

  package var everybody: [Walker] { [owner] + walkers }

  package func walker(_ id: String) -> Walker? { everybody.first { $0.id == id } }

  /// The walker with a name, in any case.
  func walker(named name: String) -> Walker? {
    let wanted = Self.folded(name)
    return everybody.first { Self.folded($0.name) == wanted }
  }

  /// The walker whose token a client shows. All digests are compared, so the time does not tell which one was equal.
  package func walker(showing token: some StringProtocol) -> Walker? {
    let shown = WalkerToken.digest(token)
    var found: Walker?
    for walker in walkers {
      if let digest = walker.digest, WalkerToken.isSame(digest, shown) { found = walker }
    }
    return found
  }

  /// Adds a walker.
  /// - Returns: the walker, and the token, which is stored nowhere.
  mutating func add(_ name: String, team: String?) throws(PeopleError) -> (walker: Walker, token: String) {
    let name = try Self.checked(name, "name")
    let team = try team.map { text throws(PeopleError) in try Self.checked(text, "team") }
    if let other = walker(named: name) { throw other.isRemoved ? .removed(other.name) : .taken(other.name) }
    guard walkers.count < Self.most else {
      throw PeopleError(
        .cannotCreate, "there are \(Self.most) walkers already; remove one first, with --delete-history")
    }
    let token = WalkerToken.make()
    let walker = Walker(id: WalkerToken.random(bytes: 8), name: name, team: team, digest: WalkerToken.digest(token))
    walkers.append(walker)
    return (walker, token)
  }

  /// Replaces the token of a walker; the former one is no longer accepted.
  mutating func renewToken(of name: String) throws(PeopleError) -> (walker: Walker, token: String) {
    let index = try index(of: name)
    let token = WalkerToken.make()
    walkers[index].digest = WalkerToken.digest(token)
    return (walkers[index], token)
  }

  /// Removes a walker's access, and the walker too unless the history is kept.
  /// - Returns: the former walker.
  mutating func remove(_ name: String, keepingHistory: Bool) throws(PeopleError) -> Walker {
    let index = try index(of: name)
    let walker = walkers[index]
    if keepingHistory { walkers[index].digest = nil } else { walkers.remove(at: index) }
    return walker
  }

  /// Changes the team of a walker, or of the owner; an empty one is none.
  mutating func setTeam(of name: String, _ team: String) throws(PeopleError) -> Walker {
    let team = team.isEmpty ? nil : try Self.checked(team, "team")
    guard let walker = walker(named: name) else { throw .noWalker(name) }
    if walker.isOwner {
      owner.team = team
      return owner
    }
    let index = try index(of: name)
    walkers[index].team = team
    return walkers[index]
  }

  mutating func setOwner(name: String?, team: String?) throws(PeopleError) {
    if let name {
      let name = try Self.checked(name, "name")
      if let other = walker(named: name), !other.isOwner { throw .taken(other.name) }
      owner.name = name
    }
    // An empty team is none.
    if let team { owner.team = team.isEmpty ? nil : try Self.checked(team, "team") }
  }

  private func index(of name: String) throws(PeopleError) -> Int {
    guard let walker = walker(named: name) else { throw .noWalker(name) }
    guard let index = walkers.firstIndex(where: { $0.id == walker.id }) else { throw .owner }
    return index
  }

  /// A name in its composed form without surrounding blanks. The rules are those of names in race rooms.
  static func checked(_ name: String, _ what: String) throws(PeopleError) -> String {
    let trimmed = name.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespaces)
    let problem =
      switch RoomName.problem(with: trimmed, limit: nameLength) {
      case nil: ""
      case .empty: "is empty; give one, such as \(what == "team" ? "Red" : "Ann")"
      case .tooLong(let limit): "is too long; give at most \(limit) characters"
      default: "contains control characters or invisible ones; remove them"
      }
    if !problem.isEmpty { throw PeopleError(.usage, "the \(what) \(problem)") }
    return trimmed
  }

  /// Names that look the same are the same.
  private static func folded(_ name: String) -> String {
    name.precomposedStringWithCompatibilityMapping.lowercased().trimmingCharacters(in: .whitespaces)
  }
}
