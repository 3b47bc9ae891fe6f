import FoundationEssentials
import ServiceTransport

/// The receiving end of reports: implements `POST` and `GET /api/analytics` for any server.
///
/// A route passes method, headers and body, and sends the returned answer:
///
///     let answer = await inbox.answer(to: request)
public struct AnalyticsInbox: Sendable {
  /// The action of a request.
  public enum Action: Sendable, Hashable {
    /// Submit a report.
    case report
    /// Read the reports of all users.
    case read
  }

  /// The permissions of a token.
  public enum Authorization: Sendable, Hashable {
    /// It permits this action, in the name of this user.
    case allowed(user: String)
    /// It permits other actions: 403.
    case forbidden
    /// It is unknown: 401.
    case unknown
  }

  /// The maximum length of a body in bytes; a server may stop reading there.
  public static let longestBody = ReportDraft.longestBody
  /// The maximum number of reports in the answer of `GET`; `?limit=` requests fewer.
  public static let longestList = 10_000

  private let store: any ReportStore
  private let authorize: @Sendable (_ token: String, _ action: Action) async -> Authorization
  private let now: @Sendable () -> Date

  /// Creates an inbox.
  /// - Parameters:
  ///   - store: stores the reports.
  ///   - now: the service's clock.
  ///   - authorize: returns the permissions of a token. Compare tokens in constant time: ``isSame(_:_:)``.
  public init(
    store: any ReportStore, now: @escaping @Sendable () -> Date = { Date() },
    authorize: @escaping @Sendable (_ token: String, _ action: Action) async -> Authorization
  ) {
    self.store = store
    self.now = now
    self.authorize = authorize
  }

  /// Creates an inbox for a server that authenticates users itself and passes requests with their user.
  /// - Parameters:
  ///   - store: stores the reports.
  ///   - now: the service's clock.
  public init(store: any ReportStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.init(store: store, now: now) { _, _ in .unknown }
  }

  /// Handles a request.
  ///
  /// `POST`: 201 for a new report, 200 for one that was stored before; the body is the stored record. `GET`: 200 and an
  /// array of records, the first received first. Otherwise 400, 401, 403, 405, 413, 415 or 503 with
  /// `{"error":true,"reason":"one sentence"}`; then nothing was stored.
  public func answer(to request: TransportRequest) async -> TransportResponse {
    await answer(to: request) { action throws(ReportRefusal) in
      try await self.user(Self.header("authorization", of: request), action)
    }
  }

  /// Handles a request of a user whom the server has authenticated and authorised.
  public func answer(to request: TransportRequest, from user: String) async -> TransportResponse {
    await answer(to: request) { _ throws(ReportRefusal) in user }
  }

  private func answer(
    to request: TransportRequest, _ user: (Action) async throws(ReportRefusal) -> String
  ) async -> TransportResponse {
    do throws(ReportRefusal) {
      switch request.method {
      case "POST":
        let user = try await user(.report)
        let receipt = try await keep(request.body, Self.header("content-type", of: request), user)
        return Self.json(receipt.isNew ? 201 : 200, receipt.report)
      case "GET":
        _ = try await user(.read)
        return Self.json(200, try await latest(Self.limit(in: request.url)))
      default: throw ReportRefusal(status: 405, reason: "send reports with POST and list them with GET")
      }
    } catch {
      return Self.refusal(error)
    }
  }

  /// Stores a report.
  /// - Parameters:
  ///   - body: the report as JSON.
  ///   - contentType: the header of that name.
  ///   - authorization: the header of that name.
  public func post(
    body: [UInt8], contentType: String?, authorization: String?
  ) async throws(ReportRefusal) -> ReportReceipt {
    try await keep(body, contentType, try await user(authorization, .report))
  }

  private func keep(
    _ body: [UInt8], _ contentType: String?, _ user: String
  ) async throws(ReportRefusal) -> ReportReceipt {
    let draft = try ReportDraft.read(body, contentType: contentType)
    let report = try draft.checked(user: user, eventDate: now())
    do { return try await store.store(report) } catch { throw Self.storeFailed }
  }

  /// The latest reports, the first received first.
  public func get(limit: Int?, authorization: String?) async throws(ReportRefusal) -> [StoredReport] {
    _ = try await user(authorization, .read)
    return try await latest(limit)
  }

  private func latest(_ limit: Int?) async throws(ReportRefusal) -> [StoredReport] {
    do {
      return try await store.reports(limit: min(max(limit ?? Self.longestList, 0), Self.longestList))
    } catch { throw Self.storeFailed }
  }

  private static let storeFailed = ReportRefusal(
    status: 503, reason: "reports cannot be stored or read at the moment; try again later")

  private func user(_ authorization: String?, _ action: Action) async throws(ReportRefusal) -> String {
    // RFC 6750, 2.1; the scheme's case does not matter (RFC 9110, 11.1).
    guard let authorization, authorization.prefix(7).lowercased() == "bearer ",
      authorization.utf8.count > 7, authorization.utf8.count <= 4096
    else { throw ReportRefusal(status: 401, reason: "missing token; send it as Authorization: Bearer TOKEN") }
    switch await authorize(String(authorization.dropFirst(7)), action) {
    case .allowed(let user): return user
    case .forbidden: throw ReportRefusal(status: 403, reason: "this token does not permit that; use another one")
    case .unknown: throw ReportRefusal(status: 401, reason: "unknown token; use a valid one")
    }
  }

  /// Whether two tokens are the same, in a time that does not depend on where they differ.
  public static func isSame(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

// MARK: - requests and answers

extension AnalyticsInbox {
  private static func header(_ name: String, of request: TransportRequest) -> String? {
    request.headers.first { $0.name.lowercased() == name }?.value
  }

  private static func limit(in url: String) -> Int? {
    guard let mark = url.firstIndex(of: "?") else { return nil }
    let pair = url[url.index(after: mark)...].split(separator: "&").first { $0.hasPrefix("limit=") }
    return pair.flatMap { Int($0.dropFirst("limit=".count)) }
  }

  private static func json(_ status: Int, _ value: some Encodable) -> TransportResponse {
    // Finite numbers, strings and dates can always be encoded.
    let body = (try? ReportJSON.bytes(of: value)) ?? []
    return TransportResponse(status: status, headers: [.init("content-type", "application/json")], body: body)
  }

  private struct APIError: Encodable {
    var error = true
    var reason: String
  }

  /// The answer for a refusal.
  public static func refusal(_ refusal: ReportRefusal) -> TransportResponse {
    var response = json(refusal.status, APIError(reason: refusal.reason))
    switch refusal.status {
    case 401: response.headers.append(.init("www-authenticate", "Bearer"))
    case 405: response.headers.append(.init("allow", "GET, POST"))
    case 503: response.headers.append(.init("retry-after", "30"))
    default: break
    }
    return response
  }
}
