import ServiceTransport

/// Work with a time limit.
enum TimeLimit {
  /// Runs work that ends soon after its cancellation, and cancels it when its time is over.
  ///
  /// - Parameters:
  ///   - limit: the time limit.
  ///   - error: thrown when the limit is exceeded.
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
