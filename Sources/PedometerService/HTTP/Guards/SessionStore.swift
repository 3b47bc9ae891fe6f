import Synchronization

/// The sessions of browsers that have sent the token once and got a cookie.
///
/// A session is a random number without other meaning: it ends with the service, and the token never gets into a
/// cookie.
final class SessionStore: Sendable {
  /// How long a session lasts.
  static let lifetime = Duration.seconds(30 * 86_400)
  /// The cookie's name.
  static let cookie = "pedometer-session"

  private let sessions = Mutex<[String: Duration]>([:])
  private let most: Int

  init(most: Int = 64) { self.most = most }

  /// Begins a session; the oldest one ends if there are too many.
  func begin(at now: Duration) -> String {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let id = words.joined()
    sessions.withLock { sessions in
      sessions = sessions.filter { $0.value > now }
      if sessions.count >= most, let oldest = sessions.min(by: { $0.value < $1.value })?.key {
        sessions[oldest] = nil
      }
      sessions[id] = now + Self.lifetime
    }
    return id
  }

  /// Whether a cookie's session is valid.
  func isOpen(_ id: String, at now: Duration) -> Bool { sessions.withLock { ($0[id] ?? .zero) > now } }

  func end(_ id: String) { sessions.withLock { $0[id] = nil } }
}
