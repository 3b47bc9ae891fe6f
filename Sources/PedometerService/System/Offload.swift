import Dispatch

/// Runs what blocks (a write that reaches the disk, a walk through sysfs) on a thread outside the cooperative pool, so
/// that a slow disk holds up neither the counting nor the answers.
enum Offload {
  private static let queue = DispatchQueue(label: "pedometer.service.blocking")

  /// One after the other.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}
