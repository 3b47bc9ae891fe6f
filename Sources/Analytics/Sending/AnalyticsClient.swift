import ServiceTransport

/// The service's side of reports: `POST api/analytics`.
///
/// In the founding app this was sprouted from a large class; here it stands alone. It owns its sender, and the sender
/// does not know it, so nothing keeps itself alive.
public struct AnalyticsClient: Sendable {
  /// Where reports go, below the service's address.
  public static let path = "api/analytics"

  /// Where to send and in whose name, asked anew for each report; `nil` holds reports back.
  public let access: @Sendable () -> AnalyticsAccess?
  private let sender: any RequestSender

  /// Makes a client.
  public init(access: @escaping @Sendable () -> AnalyticsAccess?, sender: any RequestSender) {
    self.access = access
    self.sender = sender
  }

  /// Sends a report once.
  /// - Returns: the report as the service has it.
  /// - Throws: ``RequestError``, `TransportError`, `EncodingError` or `CancellationError`.
  @discardableResult
  public func logAnalytics(analytics: Report) async throws -> Report {
    try await send(body: analytics.json(), access())
  }

  /// Sends a report once, in the founding form.
  /// - Parameters:
  ///   - analytics: the report.
  ///   - completion: called once, with the report as the service has it or with why it has not.
  /// - Throws: `EncodingError` only; then nothing is called.
  @discardableResult
  public func logAnalytics(
    analytics: Report, completion: @escaping @Sendable (Result<Report, any Error>) -> Void
  ) throws -> Task<Void, Never> {
    let body = try analytics.json()
    return Task {
      do {
        completion(.success(try await send(body: body, access())))
      } catch {
        completion(.failure(error))
      }
    }
  }

  /// Sends a report to where `access` says.
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
