import Foundation
import JSONLines
import ServiceCore
import Synchronization

/// The walkers of a service, in a file of its state folder that contains no tokens, only their digests.
///
/// The command `pedometerd walkers` changes the file, and a running service notices it at the next use.
package final class WalkerBook: Sendable {
  private struct State {
    var stamp: StateStamp?
    var list = WalkerList()
  }

  /// How long a code for a phone lasts, in seconds.
  package static let codeLifetime = PhonePass.lifetime
  /// The beginning of the tokens of walkers' phones.
  package static let walkerMark = PhonePass.walkerMark

  package let folder: String
  private let file: StateFile<WalkerList>
  private let state = Mutex(State())
  /// The phones that ask to be let in, each with a code and the name that it gave. Only memory has them.
  private let asking = Mutex<[PhonePass]>([])
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - folder: the state folder.
  ///   - now: the current date, by which codes for phones end.
  package init(folder: String, now: @escaping @Sendable () -> Date = { Date() }) {
    (self.folder, self.now) = (folder, now)
    file = StateFile(path: folder + "/walkers.json")
  }

  /// The walkers now.
  /// - Throws: ``StateFileError``. Whoever asks for access must then be refused.
  package func list() throws -> WalkerList {
    try state.withLock { state in
      // Read before the content: a replacement in between is noticed at the next use.
      let stamp = file.stamp
      if stamp == state.stamp { return state.list }
      state = State(stamp: stamp, list: try read())
      return state.list
    }
  }

  package func add(_ name: String, team: String?) throws -> (walker: Walker, token: String) {
    try change { list in try list.add(name, team: team) }
  }

  package func renewToken(of name: String) throws -> (walker: Walker, token: String) {
    try change { list in try list.renewToken(of: name) }
  }

  /// A code by which one phone becomes this walker's, within ten minutes.
  package func invite(_ name: String) throws -> (walker: Walker, code: String) {
    try change { list in
      guard let walker = list.walker(named: name) else { throw PeopleError.noWalker(name) }
      guard !walker.isOwner else { throw PeopleError.owner }
      guard let digest = walker.digest else { throw PeopleError.removed(walker.name) }
      return (walker, list.invite(walker.id, issuer: digest, now: now()))
    }
  }

  /// A code by which one phone becomes that of whoever has a token.
  /// - Parameter issuer: the SHA-256 of the token.
  package func invite(id: String, issuer: String) throws -> String {
    try change { $0.invite(id, issuer: issuer, now: now()) }
  }

  /// Lets a phone in that shows a code, once.
  /// - Returns: the phone's own token; `nil` for a code that was used or is too old.
  /// - Parameter agent: what its browser says of itself.
  package func redeem(_ code: String, agent: String?) throws -> String? {
    try change { list in list.redeem(code, agent: agent, now: now()) }
  }

  /// Lets the browser of whoever has a token in.
  /// - Returns: the browser's own token.
  package func logIn(_ walker: String, issuer: String, agent: String?) throws -> String {
    try change { list in list.logIn(walker, issuer: issuer, agent: agent, now: now()) }
  }

  /// Whose phone shows a token, and the digest of the token that let it in. Notes every ten minutes that it was seen.
  package func holder(ofPhone token: String) throws -> (walker: Walker, issuer: String)? {
    guard let (walker, pass) = try list().holder(ofPhone: token) else { return nil }
    let now = now().timeIntervalSince1970
    // Without space for it, only the list of phones is older.
    if abs(now - (pass.seen ?? 0)) > 600 { try? change { list in list.note(phone: pass.digest, seen: now) } }
    return (walker, pass.issuer)
  }

  /// Notes for ten minutes that a phone asks to be let in. Returns the code that lets it in once the owner agrees.
  package func ask(_ name: String, agent: String?) throws(PeopleError) -> String {
    let (code, name) = (WalkerToken.random(bytes: 16), try WalkerList.checked(name, "name"))
    let pass = PhonePass(code, walker: name, issuer: "", agent: agent, now())
    asking.withLock { $0 = $0.suffix(PhonePass.most - 1) + [pass] }
    return code
  }

  /// The phones that the owner has still to answer.
  private var waiting: [PhonePass] { asking.withLock { [now = now()] in $0.filter { $0.isOpen(now) } } }

  package func isAsking(_ code: String) -> Bool {
    let shown = WalkerToken.digest(code)
    return waiting.contains { WalkerToken.isSame($0.digest, shown) }
  }

  /// The phones that ask, each with the name that it gave, and whether that is a walker's, whose phone it then becomes.
  package func requests() throws -> [JSONLine] {
    let list = try list()
    return waiting.map { $0.line(of: $0.walker, (key: "isKnown", list.walker(named: $0.walker)?.digest != nil)) }
  }

  /// Ends a request, and lets the phone in or not. Returns whether there was such a request.
  package func answer(_ id: String, admits: Bool) throws -> Bool {
    guard let pass = waiting.first(where: { $0.id == id }) else { return false }
    if admits { try change { list in try list.letIn(pass, now: now()) } }
    asking.withLock { $0.removeAll { $0.id == id } }
    return true
  }

  /// Ends the access of the phone that shows a token.
  package func forget(phone token: String) throws {
    guard let (_, pass) = try list().holder(ofPhone: token) else { return }
    _ = try forget(phoneNamed: pass.id)
  }

  /// Ends the access of a phone of the list. Returns whether it was there.
  package func forget(phoneNamed id: String) throws -> Bool { try change { list in list.forget(phone: id) } }

  /// Removes a walker's access, and the history unless it is kept.
  @discardableResult
  package func remove(_ name: String, keepingHistory: Bool) throws -> Walker {
    let walker = try change { list in try list.remove(name, keepingHistory: true) }
    if keepingHistory { return walker }
    let path = folder(of: walker.id)
    if FileManager.default.fileExists(atPath: path) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw StateFileError(path: path, errno: errno == 0 ? EIO : errno)
      }
    }
    // Last, so that a removal that failed can be repeated.
    return try change { list in try list.remove(name, keepingHistory: false) }
  }

  package func setTeam(of name: String, _ team: String) throws -> Walker {
    try change { try $0.setTeam(of: name, team) }
  }

  /// Changes the name or the team of the owner.
  package func setOwner(name: String?, team: String?) throws { try change { try $0.setOwner(name: name, team: team) } }

  package func folder(of id: String) -> String { id == Walker.ownerID ? folder : "\(folder)/walkers/\(id)" }

  /// Identifiers become names of folders that a removal deletes, perhaps as root, so only those of this type are accepted.
  private func read() throws -> WalkerList {
    let list = try file.read() ?? WalkerList()
    guard list.isSound else { throw StateFileError(path: file.path, errno: EBADMSG) }
    return list
  }

  private func change<Value>(_ body: (inout WalkerList) throws -> Value) throws -> Value {
    try StateFolder.make(folder)
    return try StateFolder.locked(folder) {
      var list = try read()
      let value = try body(&list)
      try file.write(list)
      return value
    }
  }
}
