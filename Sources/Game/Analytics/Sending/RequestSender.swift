import FoundationEssentials
import ServiceTransport

/// Sends requests and decodes the answers; tests replace the network with their own.
public protocol RequestSender: Sendable {
  /// Sends a request and decodes the answer.
  /// - Throws: ``RequestError``, `TransportError` or `CancellationError`.
  func send<T: Decodable & Sendable>(_ request: TransportRequest, as type: T.Type) async throws -> T
}

extension RequestSender {
  /// The founding signature with closures, each of which may be omitted.
  @discardableResult
  public func send<T: Decodable & Sendable>(
    request: TransportRequest, success: (@Sendable (T) -> Void)?, failure: (@Sendable (any Error) -> Void)? = nil
  ) -> Task<Void, Never> {
    Task {
      do {
        let value = try await send(request, as: T.self)
        success?(value)
      } catch { failure?(error) }
    }
  }
}

/// A request that failed with an answer, or was not sent.
public enum RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing was sent, because the token is missing or reporting is off.
  case notSignedIn
  /// Any status other than 2xx, with the service's text and the wait that it requested.
  case refused(status: Int, reason: String?, retryAfter: Duration?)
  /// A 2xx response with an unexpected body.
  case unreadable(status: Int)

  /// One sentence with the remedy.
  public var description: String {
    switch self {
    case .notSignedIn: "no token; put one into the token file"
    case .unreadable(let status): "the answer (\(status)) does not come from a pedometer service; check the address"
    case .refused(let status, let reason, _):
      "the service refused with \(status)" + (reason.map { ": \($0)" } ?? "") + Self.remedy(status)
    }
  }

  private static func remedy(_ status: Int) -> String {
    switch status {
    case 401, 403: "; put a valid token into the token file"
    case 404, 405: "; check the address"
    default: ""
    }
  }
}

/// The sender of programs: over any transport, with only 2xx as success.
public struct TransportSender: RequestSender {
  private let transport: any Transport
  private let timeout: Duration

  /// Creates a sender.
  /// - Parameters:
  ///   - transport: transmits the requests.
  ///   - timeout: the longest time for an answer.
  public init(transport: any Transport, timeout: Duration = .seconds(10)) {
    (self.transport, self.timeout) = (transport, timeout)
  }

  private struct APIError: Decodable {
    var reason: String
  }

  public func send<T: Decodable & Sendable>(_ request: TransportRequest, as type: T.Type) async throws -> T {
    let response = try await transport.send(request, timeout: timeout)
    guard response.isSuccess else {
      let reason = try? ReportJSON.value(APIError.self, of: response.body).reason
      throw RequestError.refused(
        status: response.status, reason: reason.map { String($0.prefix(200)) }, retryAfter: retryAfter(in: response))
    }
    guard let value = try? ReportJSON.value(type, of: response.body) else {
      throw RequestError.unreadable(status: response.status)
    }
    return value
  }

  /// Seconds, as the service sends them.
  private func retryAfter(in response: TransportResponse) -> Duration? {
    let header = response.headers.first { $0.name.lowercased() == "retry-after" }
    return header.flatMap { UInt32($0.value) }.map { .seconds(Int64($0)) }
  }
}
