import ServiceTransport

/// Work that may not take longer than so long.
enum TimeLimit {
  /// Does work that ends soon after it is cancelled, and cancels it when its time is over.
  ///
  /// - Parameters:
  ///   - limit: how long it may take.
  ///   - error: what is thrown when it takes longer.
  static func of<Success: Sendable>(
    _ limit: Duration, exceeded error: TransportError, work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    try await withThrowingTaskGroup(of: Success.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw error
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw error }
      return first
    }
  }
}
