import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// How far a request has come, which decides what an error of the client means.
final class Stage: Sendable {
  let address: String
  private let hasBegun = Mutex(false)

  init(address: String) { self.address = address }

  /// From now on an error means that an answer was cut.
  func answerHasBegun() { hasBegun.withLock { $0 = true } }

  /// Does something, and throws nothing but `TransportError` and `CancellationError`.
  func translatingErrors<Success: Sendable>(_ body: @Sendable () async throws -> Success) async throws -> Success {
    do {
      return try await body()
    } catch let error as TransportError {
      // When the caller and the clock come at the same time, the caller is told what he wanted.
      if Task.isCancelled { throw CancellationError() }
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError { throw CancellationError() }
      throw translation(of: error)
    }
  }

  private func translation(of error: any Error) -> TransportError {
    switch error {
    case let error as NIOTooManyBytesError: .tooLarge(address: address, limit: error.maxBytes ?? 0)
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

  /// What the system says: "Connection refused".
  private static func reason(_ error: NIOConnectionError) -> String {
    if error.dnsAError != nil || error.dnsAAAAError != nil { return "no such host: \(error.host)" }
    guard let first = error.connectionErrors.first else { return "\(error)" }
    guard let system = first.error as? IOError else { return "\(first.error)" }
    let text = unsafe strerror(system.errnoCode).map { unsafe String(cString: $0) }
    return text ?? "error \(system.errnoCode)"
  }
}
