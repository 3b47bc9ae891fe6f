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
      } catch {
        failure?(error)
      }
    }
  }
}

/// A request that failed with an answer, or was not sent: compare ``code``, and show ``message``.
public struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// There is no token, or reporting is off: nothing was sent.
    public static let notSignedIn = Code(name: "notSignedIn")
    /// Any status other than 2xx.
    public static let refused = Code(name: "refused")
    /// A 2xx response with an unexpected body.
    public static let unreadable = Code(name: "unreadable")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String
  /// The status of the answer, if there was one.
  public let status: Int?
  /// The wait that the service requested.
  public let retryAfter: Duration?

  public var description: String { message }

  private init(_ code: Code, _ message: String, status: Int? = nil, retryAfter: Duration? = nil) {
    (self.code, self.message, self.status, self.retryAfter) = (code, message, status, retryAfter)
  }

  public static let notSignedIn = Self(.notSignedIn, "no token; put one into the token file")

  /// - Parameters:
  ///   - status: the status of the answer.
  ///   - reason: the service's text.
  ///   - retryAfter: the wait that the service requested.
  public static func refused(status: Int, reason: String?, retryAfter: Duration?) -> Self {
    Self(
      .refused, "the service refused with \(status)" + (reason.map { ": \($0)" } ?? "") + remedy(status),
      status: status, retryAfter: retryAfter)
  }

  public static func unreadable(status: Int) -> Self {
    Self(
      .unreadable, "the answer (\(status)) does not come from a pedometer service; check the address", status: status)
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
  private let now: @Sendable () -> Date

  /// Creates a sender.
  /// - Parameters:
  ///   - transport: transmits the requests.
  ///   - timeout: the longest time for an answer.
  ///   - now: the current date, to evaluate a `Retry-After` date.
  public init(
    transport: any Transport, timeout: Duration = .seconds(10), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transport = transport
    self.timeout = timeout
    self.now = now
  }

  /// The body of a refusal.
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

  /// Seconds or a date: RFC 9110, 10.2.3.
  private func retryAfter(in response: TransportResponse) -> Duration? {
    guard let value = response.headers.first(where: { $0.name.lowercased() == "retry-after" })?.value else {
      return nil
    }
    if let seconds = UInt32(value) { return .seconds(Int64(seconds)) }
    return ReportDate.httpDate(value).map { .seconds(max(0, $0.timeIntervalSince(now()))) }
  }
}
