import Foundation
import Platform
import ServiceCore

/// The challenges of a service: a file for each, in a folder of the state folder.
package final class ChallengeBook: Sendable {
  private let state: String
  private var folder: String { state + "/challenges" }

  /// The maximum number of challenges.
  package static let most = 32

  /// - Parameter folder: the state folder.
  package init(folder: String) { state = folder }

  /// All challenges, the latest first day first.
  package func all() throws -> [Challenge] {
    guard let names = Platform.names(inFolder: folder) else {
      if errno == ENOENT { return [] }
      throw StateFileError(path: folder, errno: errno)
    }
    let all = try names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.compactMap { name in
      try read(String(name.dropLast(5)))
    }
    return all.sorted { ($1.firstDay, $0.name, $0.id) < ($0.firstDay, $1.name, $1.id) }
  }

  func challenge(_ id: String) throws -> Challenge {
    guard Self.isIdentifier(id), let challenge = try read(id) else { throw PeopleError.noChallenge }
    return challenge
  }

  /// The challenge with an identifier, or with a name that only one has.
  package func challenge(called text: String) throws -> Challenge {
    let all = try all()
    if let challenge = all.first(where: { $0.id == text }) { return challenge }
    let named = all.filter { $0.name.lowercased() == text.lowercased() }
    guard named.count < 2 else {
      throw PeopleError(.usage, "several challenges are named '\(text)'; give the identifier instead")
    }
    guard let challenge = named.first else { throw PeopleError.noChallenge }
    return challenge
  }

  func challenge(invitedBy code: String) throws -> Challenge {
    let shown = WalkerToken.digest(code)
    let found = try all().filter { WalkerToken.isSame(WalkerToken.digest($0.code), shown) }
    guard let challenge = found.first else { throw PeopleError.noChallenge }
    return challenge
  }

  func add(_ challenge: Challenge) throws {
    try locked {
      let (all, name) = (try all(), challenge.name.lowercased())
      if all.contains(where: { $0.name.lowercased() == name }) {
        throw PeopleError(
          .cannotCreate,
          "there is a challenge '\(challenge.name)' already; choose another name, or remove that one first")
      }
      guard all.count < Self.most else {
        throw PeopleError(.cannotCreate, "there are \(Self.most) challenges already; remove one first")
      }
      try file(challenge.id).write(challenge)
    }
  }

  package func remove(_ id: String) throws {
    try locked {
      guard Self.isIdentifier(id) else { throw PeopleError.noChallenge }
      // A damaged file can be removed, too.
      guard unsafe unlink(file(id).path) == 0 else {
        if errno == ENOENT { throw PeopleError.noChallenge }
        throw StateFileError(path: file(id).path, errno: errno)
      }
    }
  }

  /// Changes a challenge, unless the change leaves it as it is.
  @discardableResult
  func change(_ id: String, _ body: (inout Challenge) throws -> Void) throws -> Challenge {
    try locked {
      let former = try challenge(id)
      var challenge = former
      try body(&challenge)
      if challenge != former { try file(id).write(challenge) }
      return challenge
    }
  }

  /// Removes a walker from all challenges, and from their results too if the history is deleted.
  package func forget(_ walker: String, results: Bool) throws {
    for challenge in try all() {
      try change(challenge.id) { challenge in
        challenge.members.removeAll { $0.id == walker }
        guard results else { return }
        for index in challenge.results.indices { challenge.results[index].scores.removeAll { $0.id == walker } }
      }
    }
  }

  private func locked<Value>(_ body: () throws -> Value) throws -> Value {
    try StateFolder.make(state)
    return try StateFolder.locked(state) {
      try StateFolder.make(folder)
      return try body()
    }
  }

  private func read(_ id: String) throws -> Challenge? {
    guard let challenge = try file(id).read() else { return nil }
    guard challenge.id == id, (1...ChallengePlan.longest).contains(challenge.days) else {
      throw StateFileError(path: file(id).path, errno: EBADMSG)
    }
    return challenge
  }

  private func file(_ id: String) -> StateFile<Challenge> { StateFile(path: "\(folder)/\(id).json") }

  /// Only words that this book assigned become file names.
  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 10 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
