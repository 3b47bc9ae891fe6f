import ServiceWalkers
import Synchronization

/// The sessions of browsers that have sent the token once and got a cookie.
///
/// A session is a random number without other meaning: it ends with the service, and the token never gets into a
/// cookie. Sessions of a walker are few, so that they cannot end those of others.
final class SessionStore: Sendable {
  static let lifetime = Duration.seconds(30 * 86_400)
  static let cookie = "pedometer-session"

  /// The beginning of the cookies of walkers. Such a cookie is refused when its session has ended, also by a service
  /// that needs no token: otherwise it would become that of the owner.
  static let walkerMark = "walker-"

  struct Session {
    fileprivate var end: Duration
    /// The walker who began it, with the token of that time; `nil`: the owner's.
    var walker: Walker?
  }

  private let sessions = Mutex<[String: Session]>([:])
  private let most: Int
  private let mostOfWalker: Int

  init(most: Int = 64, mostOfWalker: Int = 8) { (self.most, self.mostOfWalker) = (most, mostOfWalker) }

  /// Begins a session; the oldest one of the same walker, or of the owner, ends if there are too many.
  func begin(at now: Duration, for walker: Walker? = nil) -> String {
    let id = (walker == nil ? "" : Self.walkerMark) + WalkerToken.random(bytes: 32)
    sessions.withLock { sessions in
      sessions = sessions.filter { $0.value.end > now }
      let own = sessions.filter { $0.value.walker?.id == walker?.id }
      if own.count >= (walker == nil ? most : mostOfWalker),
        let oldest = own.min(by: { $0.value.end < $1.value.end })?.key
      {
        sessions[oldest] = nil
      }
      sessions[id] = Session(end: now + Self.lifetime, walker: walker)
    }
    return id
  }

  /// The session of a cookie; `nil` if it is over.
  func session(_ id: String, at now: Duration) -> Session? {
    sessions.withLock { sessions in sessions[id].flatMap { $0.end > now ? $0 : nil } }
  }

  func end(_ id: String) { sessions.withLock { $0[id] = nil } }
}
