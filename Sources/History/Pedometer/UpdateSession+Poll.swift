import Pedometry

extension UpdateSession {
  /// Begins a session that looks at something again and again, until it is stopped or started anew.
  /// - Parameters:
  ///   - watch: what was seen so far.
  ///   - wait: returns when it is time for the next look.
  ///   - look: looks once, and says whether to go on.
  func poll<Watch: Sendable>(
    _ watch: Watch, wait: @escaping @Sendable () async throws -> Void,
    look: @escaping @Sendable (inout Watch, IsCurrent) -> Bool
  ) {
    start { isCurrent in
      var watch = watch
      while isCurrent(), look(&watch, isCurrent) {
        do { try await wait() } catch { return }
      }
    }
  }
}
