import HTTPTypes
import Hummingbird
import Logging

/// Checks requests: rate, host name, origin and token.
struct Gatekeeper: Sendable {
  let hosts: HostRule
  let sessions = SessionStore()
  private let token: ServiceToken?
  private let requests: RateLimiter
  private let localRequests: RateLimiter
  private let failures: RateLimiter
  /// The time since any fixed instant.
  let now: @Sendable () -> Duration

  init(_ settings: ServiceSettings, now: @escaping @Sendable () -> Duration) {
    let limits = settings.limits
    hosts = HostRule(settings)
    token = settings.token
    requests = RateLimiter(burst: limits.requestBurst, perSecond: limits.requestsPerSecond)
    localRequests = RateLimiter(
      burst: limits.requestBurst * limits.localFactor, perSecond: limits.requestsPerSecond * limits.localFactor)
    failures = RateLimiter(burst: limits.failureBurst, perSecond: 0.1)
    self.now = now
  }

  /// Whether clients must show a token.
  var asksForToken: Bool { token != nil }

  /// Refuses a client that asks too often.
  func checkPace(_ context: ServiceContext) throws(PaceRefusal) {
    let limiter = ListenAddress.isLoopback(context.client) ? localRequests : requests
    if let wait = limiter.take(context.client, at: now()) { throw PaceRefusal(wait: wait) }
  }

  /// Whether the request shows the token, or the cookie that was given for it; refuses one that shows a wrong token.
  func isAuthenticated(_ request: Request, _ context: ServiceContext) throws -> Bool {
    guard token != nil else { return false }
    if let shown = Self.bearer(request) {
      try check(shown, context)
      return true
    }
    return Self.session(request).map { sessions.isOpen($0, at: now()) } ?? false
  }

  /// Refuses a wrong token, and after some of them anything more from that client.
  func check(_ shown: some StringProtocol, _ context: ServiceContext) throws {
    guard let token, !token.isEqual(to: shown) else { return }
    context.logger.notice("wrong token", metadata: ["client": "\(context.client)"])
    if let wait = failures.take(context.client, at: now()) { throw PaceRefusal(wait: wait) }
    throw ServiceRefusal(status: 401, reason: "wrong token; send the token of the service")
  }

  /// Refuses what a route does not allow this client.
  func checkAccess(_ route: Route, isAuthenticated: Bool) throws(ServiceRefusal) {
    switch route.access {
    case .everybody, .everybodyInPart: return
    case .token where !asksForToken || isAuthenticated: return
    case .tokenAlways where !asksForToken:
      throw ServiceRefusal(status: 403, reason: "this needs a token; start the service with --token-file FILE")
    case .tokenAlways where isAuthenticated: return
    case .token, .tokenAlways:
      throw ServiceRefusal(
        status: 401, reason: "missing token; send Authorization: Bearer TOKEN, or log in on the page")
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
    for header in request.headers[values: .cookie] {
      for item in header.split(separator: ";") {
        let parts = item.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == SessionStore.cookie else { continue }
        return String(parts[1])
      }
    }
    return nil
  }
}

/// A client asks too often.
struct PaceRefusal: Error, Sendable, Hashable {
  /// How long it should wait.
  var wait: Duration
  /// What there is too much of.
  var excess = "too many requests"

  /// Whole seconds, as the header `Retry-After` has them.
  var seconds: Int { max(1, Int((wait / .seconds(1)).rounded(.up))) }

  var refusal: ServiceRefusal {
    ServiceRefusal(status: 429, reason: "\(excess); wait \(seconds) s")
  }
}
