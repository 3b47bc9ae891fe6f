import AsyncHTTPClient
import NIOCore
import NIOPosix
import Platform
import ServiceTransport
import Synchronization

/// The progress of a request, which determines the meaning of a client error.
final class Stage: Sendable {
  private let address: String
  private let limit: Int
  private let hasBegun = Mutex(false)

  /// - Parameter limit: the maximum size of the answer in bytes.
  init(address: String, limit: Int = .max) { (self.address, self.limit) = (address, limit) }

  /// From now on an error means that the answer was interrupted.
  func answerHasBegun() { hasBegun.withLock { $0 = true } }

  /// Runs work that ends soon after its cancellation, and cancels it when its time is over. Throws only
  /// `TransportError` and `CancellationError`.
  func atMost<Success: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    let exceeded = TransportError.timedOut(address: address)
    do {
      return try await withThrowingTaskGroup(of: Success.self) { group in
        group.addTask { try await work() }
        group.addTask {
          try await Task.sleep(for: limit)
          throw exceeded
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw exceeded }
        return first
      }
    } catch let error as TransportError {
      // If cancellation and time-out coincide, the cancellation is reported.
      if Task.isCancelled { throw CancellationError() }
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError { throw CancellationError() }
      throw translation(of: error)
    }
  }

  private func translation(of error: any Error) -> TransportError {
    switch error {
    case is NIOTooManyBytesError: .tooLarge(address: address, limit: limit)
    case let error as IOError: failure(Self.reason(error))
    case let error as NIOConnectionError: .unreachable(address: address, reason: Self.reason(error))
    case let error as HTTPClientError: translation(of: error)
    default: failure("\(error)")
    }
  }

  private func translation(of error: HTTPClientError) -> TransportError {
    switch error {
    case .invalidURL, .emptyHost, .emptyScheme: .badAddress(address)
    case .connectTimeout, .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
      .tlsHandshakeTimeout:
      .timedOut(address: address)
    case .remoteConnectionClosed: .interrupted(address: address, reason: "closed by the other side")
    default: failure(error.shortDescription)
    }
  }

  private func failure(_ reason: String) -> TransportError {
    hasBegun.withLock { $0 }
      ? .interrupted(address: address, reason: reason) : .unreachable(address: address, reason: reason)
  }

  /// The system's error text: "Connection refused".
  private static func reason(_ error: NIOConnectionError) -> String {
    if error.dnsAError != nil || error.dnsAAAAError != nil { return "no such host: \(error.host)" }
    guard let first = error.connectionErrors.first else { return "\(error)" }
    return (first.error as? IOError).map(reason) ?? "\(first.error)"
  }

  private static func reason(_ error: IOError) -> String { systemText(error.errnoCode) }
}
