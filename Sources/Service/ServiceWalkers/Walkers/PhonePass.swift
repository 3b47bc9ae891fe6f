import Foundation
import JSONLines

/// What lets a phone in without typing: a code for its first visit, and then the token of that phone. A browser that has sent the
/// token of a person gets one, too.
///
/// They are worth as much as the token of the person who issued them, and end with it.
struct PhonePass: Sendable, Hashable, Codable {
  /// The SHA-256 of the code or the token.
  var digest: String
  var walker: String
  /// The SHA-256 of that person's own token, or of the service's.
  var issuer: String
  /// When a code ends, in seconds since 1970; `nil`: the token of a phone.
  var end: Double?
  /// What the browser of a phone says of itself, when it was let in and last seen, in seconds since 1970; `nil` in the
  /// files of earlier versions.
  var agent: String?
  var since: Double?
  var seen: Double?

  /// How long a code lasts, in seconds.
  static let lifetime = 600.0
  /// The maximum number of codes and of phones for each person; the oldest ones give way.
  static let most = 16
  /// The beginning of the tokens of walkers' phones. Such a token is refused when it has ended, also by a service that needs no
  /// token: otherwise it would become that of the owner.
  static let walkerMark = "walker-"

  /// A code that lasts ten minutes from now on.
  init(_ code: String, walker: String, issuer: String, agent: String? = nil, _ now: Date) {
    (digest, self.walker, self.issuer) = (WalkerToken.digest(code), walker, issuer)
    (self.agent, since) = (agent.map { String($0.prefix(300)) }, now.timeIntervalSince1970)
    end = now.timeIntervalSince1970 + Self.lifetime
  }

  /// What names a phone, and tells nothing of its token.
  var id: String { String(digest.prefix(16)) }

  /// Whether it is a code that may still be used. The clock may have been set back since.
  func isOpen(_ now: Date) -> Bool {
    end.map { $0 > now.timeIntervalSince1970 && $0 <= now.timeIntervalSince1970 + Self.lifetime } ?? false
  }

  /// What the owner sees of it.
  func line(of walker: String, _ more: (key: String, value: Bool)) -> JSONLine {
    var line = JSONLine()
    line.add("id", id)
    line.add("walker", walker)
    line.add("agent", agent)
    line.add("since", since.map { Date(timeIntervalSince1970: $0).ISO8601Format() })
    if end == nil { line.add("seen", seen.map { Date(timeIntervalSince1970: $0).ISO8601Format() }) }
    line.add(more.key, more.value)
    return line
  }
}

extension WalkerList {
  /// Whose phone shows a token, and the digest of the token that let it in.
  func holder(ofPhone token: String) -> (walker: Walker, pass: PhonePass)? {
    let shown = WalkerToken.digest(token)
    guard let pass = phones?.first(where: { $0.end == nil && WalkerToken.isSame($0.digest, shown) }),
      let walker = walker(of: pass)
    else { return nil }
    return (walker, pass)
  }

  /// Whose phone it is, unless that person's own token has ended.
  private func walker(of pass: PhonePass) -> Walker? {
    walker(pass.walker).flatMap { $0.isOwner || $0.digest == pass.issuer ? $0 : nil }
  }

  /// The phones that are let in, the latest first.
  /// - Parameters:
  ///   - owner: the SHA-256 of the service's token.
  ///   - own: the token of the phone that asks.
  package func phones(owner: String?, own: String?) -> [JSONLine] {
    let shown = own.map { WalkerToken.digest($0) }
    return (phones ?? []).reversed().compactMap { pass in
      guard pass.end == nil, let walker = walker(of: pass), !walker.isOwner || pass.issuer == owner else { return nil }
      return pass.line(of: walker.name, (key: "isThis", pass.digest == shown))
    }
  }

  mutating func note(phone digest: String, seen: Double) {
    for index in (phones ?? []).indices where phones?[index].digest == digest { phones?[index].seen = seen }
  }

  mutating func invite(_ walker: String, issuer: String, now: Date) -> String {
    let code = WalkerToken.random(bytes: 16)
    admit(PhonePass(code, walker: walker, issuer: issuer, now), now)
    return code
  }

  /// The phone that asked becomes that of the walker with the name that it gave, who is added if there is none.
  mutating func letIn(_ request: PhonePass, now: Date) throws(PeopleError) {
    let known = walker(named: request.walker).flatMap { $0.digest == nil ? nil : $0 }
    let walker = if let known { known } else { try add(request.walker, team: nil).walker }
    var pass = request
    (pass.walker, pass.issuer) = (walker.id, walker.digest ?? "")
    pass.end = now.timeIntervalSince1970 + PhonePass.lifetime
    admit(pass, now)
  }

  /// The token of a phone that shows a code, which is then used up; `nil` for a code that is no longer valid.
  mutating func redeem(_ code: String, agent: String?, now: Date) -> String? {
    let shown = WalkerToken.digest(code)
    guard let index = phones?.firstIndex(where: { $0.isOpen(now) && WalkerToken.isSame($0.digest, shown) }),
      let pass = phones?.remove(at: index), let walker = walker(of: pass)
    else { return nil }
    return logIn(walker.id, issuer: pass.issuer, agent: agent, now: now)
  }

  /// A token for a phone or a browser, which is stored nowhere.
  mutating func logIn(_ walker: String, issuer: String, agent: String?, now: Date) -> String {
    let token = (walker == Walker.ownerID ? "" : PhonePass.walkerMark) + WalkerToken.make()
    var pass = PhonePass(token, walker: walker, issuer: issuer, agent: agent, now)
    (pass.end, pass.seen) = (nil, now.timeIntervalSince1970)
    admit(pass, now)
    return token
  }

  /// Ends the access of a phone. Returns whether it is on the list.
  mutating func forget(phone id: String) -> Bool {
    let count = phones?.count
    phones?.removeAll { $0.id == id && $0.end == nil }
    return phones?.count != count
  }

  private mutating func admit(_ pass: PhonePass, _ now: Date) {
    var all = (phones ?? []).filter { $0.end == nil || $0.isOpen(now) }
    let like = all.filter { $0.walker == pass.walker && ($0.end == nil) == (pass.end == nil) }
    if like.count >= PhonePass.most { all.removeAll { $0 == like[0] } }
    phones = all + [pass]
  }
}
