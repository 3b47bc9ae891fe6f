import ServiceTransport

/// The client of a reporting service: `POST api/analytics`.
///
/// In the founding app this was part of a large class; here it is separate. It owns its sender, which has no reference
/// back, so there is no retain cycle.
public struct AnalyticsClient: Sendable {
  /// The path of reports below the service's address.
  public static let path = "api/analytics"

  /// The service and the token, read for each report; `nil` holds reports back.
  public let access: @Sendable () -> AnalyticsAccess?
  private let sender: any RequestSender

  /// Creates a client.
  public init(access: @escaping @Sendable () -> AnalyticsAccess?, sender: any RequestSender) {
    (self.access, self.sender) = (access, sender)
  }

  /// Sends a report once.
  /// - Returns: the report as stored by the service.
  /// - Throws: ``RequestError``, `TransportError`, `EncodingError` or `CancellationError`.
  @discardableResult
  public func logAnalytics(analytics: Report) async throws -> Report {
    try await send(body: analytics.json(), access())
  }

  /// Sends a report once, with the founding signature.
  /// - Parameters:
  ///   - analytics: the report.
  ///   - completion: called once, with the report as stored by the service or with an error.
  /// - Throws: `EncodingError` only; then `completion` is not called.
  @discardableResult
  public func logAnalytics(
    analytics: Report, completion: @escaping @Sendable (Result<Report, any Error>) -> Void
  ) throws -> Task<Void, Never> {
    let body = try analytics.json()
    return Task {
      do {
        completion(.success(try await send(body: body, access())))
      } catch { completion(.failure(error)) }
    }
  }

  /// Sends a report with a given access.
  func logAnalytics(analytics: Report, with access: AnalyticsAccess) async throws -> Report {
    try await send(body: analytics.json(), access)
  }

  private func send(body: [UInt8], _ access: AnalyticsAccess?) async throws -> Report {
    guard let access else { throw RequestError.notSignedIn }
    let request = TransportRequest(
      method: "POST", url: access.address.url(of: Self.path),
      headers: [
        .init("Authorization", "Bearer \(access.token)"), .init("Content-Type", "application/json"),
        .init("Accept", "application/json"),
      ], body: body)
    return try await sender.send(request, as: Report.self)
  }
}
