import HTTPTypes
import Hummingbird
import JSONLines
import Logging
import ServiceCore
import ServiceWalkers

enum Caller: Sendable, Hashable {
  /// Shows no token, although one is needed.
  case stranger
  /// Shows the token of the service, or needs none.
  case owner
  /// Shows the token of a walker.
  case walker(Walker)

  /// Whose history a request is about.
  var walkerID: String {
    if case .walker(let walker) = self { return walker.id }
    return Walker.ownerID
  }
}

/// Checks requests: rate, host name, origin and token.
struct Gatekeeper: Sendable {
  /// Of browsers and phones that have sent a token or a code once.
  static let cookie = "pedometer-session"

  let hosts: HostRule
  private let token: ServiceToken?
  let walkers: WalkerBook
  private let requests: RateLimiter
  private let localRequests: RateLimiter
  private let failures: RateLimiter
  /// The time since any fixed instant.
  let now: @Sendable () -> Duration

  init(_ settings: HTTPSettings, walkers: WalkerBook, now: @escaping @Sendable () -> Duration) {
    self.walkers = walkers
    let limits = settings.limits
    hosts = HostRule(settings)
    token = settings.token
    requests = RateLimiter(burst: limits.requestBurst, perSecond: limits.requestsPerSecond)
    localRequests = RateLimiter(
      burst: limits.requestBurst * limits.localFactor, perSecond: limits.requestsPerSecond * limits.localFactor)
    failures = RateLimiter(burst: limits.failureBurst, perSecond: 0.1)
    self.now = now
  }

  var asksForToken: Bool { token != nil }

  /// Refuses a client that asks too often. Who shows a valid token or cookie has a budget of their own at an address, so
  /// strangers at the same one, which may be that of a proxy, do not spend it.
  func checkPace(_ request: Request, _ context: ServiceContext) throws(ServiceRefusal) {
    let limiter = Loopback.includes(context.client) ? localRequests : requests
    // Without a list of walkers, nobody on it is known.
    let known = (try? holder(request)) ?? nil
    let budget = known.map { "\($0.walkerID) \(context.client)" } ?? context.client
    if let wait = limiter.take(budget, at: now()) { throw ServiceRefusal(wait: wait) }
  }

  /// Who sends a request, by its token or the cookie that was given for it; refuses a wrong token.
  func caller(_ request: Request, _ context: ServiceContext) throws -> Caller {
    if let known = try holder(request) { return known }
    if let shown = Self.bearer(request) { return try caller(showing: shown, context) }
    let isFormerWalker = Self.session(request)?.hasPrefix(WalkerBook.walkerMark) == true
    return token == nil && !isFormerWalker ? .owner : .stranger
  }

  /// Whose valid token or cookie a request shows; `nil` without one.
  private func holder(_ request: Request) throws -> Caller? {
    if let shown = Self.bearer(request) { return try holder(of: shown) }
    return try Self.session(request).flatMap { try holder(ofSession: $0) }
  }

  /// Whose cookie this is; `nil` if its session is over.
  func holder(ofSession session: String) throws -> Caller? {
    guard let (walker, issuer) = try walkers.holder(ofPhone: session) else { return nil }
    return !walker.isOwner ? .walker(walker) : issuer == token?.digest ? .owner : nil
  }

  /// Whose token this is; `nil` if it is wrong.
  private func holder(of shown: some StringProtocol) throws -> Caller? {
    if let token, token.isEqual(to: shown) { return .owner }
    return try walkers.list().walker(showing: shown).map { .walker($0) }
  }

  /// Who has this token. Refuses a wrong one, and after some of them anything more from that client.
  func caller(showing shown: some StringProtocol, _ context: ServiceContext) throws -> Caller {
    if let known = try holder(of: shown) { return known }
    // A wrong token is ignored if there is none.
    if token == nil, try walkers.list().walkers.isEmpty { return .owner }
    try refuse("token", "this token is not the service's; use the one in its token file", context)
  }

  /// The token of a phone that shows a code, which is then used up.
  func redeem(_ code: String, _ request: Request, _ context: ServiceContext) throws -> String {
    if let admitted = try walkers.redeem(code, agent: request.headers[.userAgent]) { return admitted }
    try refuse("code", "this code was used, or is older than ten minutes; show a new one and scan it", context)
  }

  private func refuse(_ what: String, _ reason: String, _ context: ServiceContext) throws -> Never {
    context.logger.notice("wrong \(what)", metadata: ["client": "\(context.client)"])
    if let wait = failures.take(context.client, at: now()) { throw ServiceRefusal(wait: wait) }
    throw ServiceRefusal(401, reason)
  }

  /// The phones that are let in.
  func phones(_ request: Request) throws -> [JSONLine] {
    try walkers.list().phones(owner: token?.digest, own: Self.session(request))
  }

  /// A code by which one phone becomes the caller's; `nil` where nobody needs a token.
  func invite(_ caller: Caller) throws -> String? {
    try issuer(caller).map { try walkers.invite(id: caller.walkerID, issuer: $0) }
  }

  /// Issues a token to a browser that has presented a valid one; `nil` if the service needs no token.
  func logIn(_ caller: Caller, _ request: Request) throws -> String? {
    try issuer(caller).map {
      try walkers.logIn(caller.walkerID, issuer: $0, agent: request.headers[.userAgent])
    }
  }

  /// The digest of the token that a caller's phones and browsers depend on.
  private func issuer(_ caller: Caller) -> String? {
    switch caller {
    case .stranger: nil
    case .owner: token?.digest
    case .walker(let walker): walker.digest
    }
  }

  /// Refuses what a route does not allow this client.
  func checkAccess(_ route: Route, _ caller: Caller) throws(ServiceRefusal) {
    switch (route.access, caller) {
    case (.everybody, _), (.everybodyInPart, _), (.walkers, .walker): return
    case (_, .walker):
      throw ServiceRefusal(
        403, "only the owner of the service may do this; walkers see their own history and challenges")
    case (.tokenAlways, _) where !asksForToken:
      throw ServiceRefusal(403, "this needs a token; start the service with --token-file FILE")
    case (.token, .owner), (.walkers, .owner), (.tokenAlways, .owner): return
    case (_, .stranger):
      throw ServiceRefusal(401, "missing token; send Authorization: Bearer TOKEN, or log in on the page")
    }
  }

  private static func bearer(_ request: Request) -> Substring? {
    guard let value = request.headers[.authorization] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return value[...] }
    return parts[1]
  }

  /// The session that a cookie names.
  static func session(_ request: Request) -> String? {
    let items = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
    let parts = items.map { $0.split(separator: "=", maxSplits: 1) }
    return parts.first { $0.count == 2 && $0[0].drop { $0 == " " } == cookie }.map { String($0[1]) }
  }
}
