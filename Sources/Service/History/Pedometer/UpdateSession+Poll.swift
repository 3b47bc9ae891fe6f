import Pedometry

extension UpdateSession {
  /// Begins a session that polls until it is stopped or restarted.
  /// - Parameters:
  ///   - watch: the state so far.
  ///   - wait: returns when the next poll is due.
  ///   - look: polls once, and returns whether to continue.
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
