import FoundationEssentials
import ServiceTransport

/// The service's end of reports: what `POST` and `GET /api/analytics` do, whichever server they run in.
///
/// A route hands over method, headers and body, and sends back what it gets:
///
///     let answer = await inbox.answer(to: request)
public struct AnalyticsInbox: Sendable {
  /// What a client wants to do.
  public enum Action: Sendable, Hashable {
    /// Report something.
    case report
    /// See what was reported, by anybody.
    case read
  }

  /// What a token is good for.
  public enum Authorization: Sendable, Hashable {
    /// For this action, in the name of this user.
    case allowed(user: String)
    /// For other things: 403.
    case forbidden
    /// For nothing, because the token is unknown: 401.
    case unknown
  }

  /// Bytes of a body at most; a server need not read any further.
  public static let longestBody = ReportDraft.longestBody
  /// How many reports `GET` answers, unless it is asked for fewer by `?limit=`.
  public static let longestList = 10_000

  private let store: any ReportStore
  private let authorize: @Sendable (_ token: String, _ action: Action) async -> Authorization
  private let now: @Sendable () -> Date

  /// Makes an inbox.
  /// - Parameters:
  ///   - store: where reports are kept.
  ///   - now: the service's clock.
  ///   - authorize: what a token is good for. Compare tokens in constant time: ``isSame(_:_:)``.
  public init(
    store: any ReportStore, now: @escaping @Sendable () -> Date = { Date() },
    authorize: @escaping @Sendable (_ token: String, _ action: Action) async -> Authorization
  ) {
    self.store = store
    self.now = now
    self.authorize = authorize
  }

  /// Makes an inbox for a server that finds out itself who asks: it hands requests over with their user.
  /// - Parameters:
  ///   - store: where reports are kept.
  ///   - now: the service's clock.
  public init(store: any ReportStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.init(store: store, now: now) { _, _ in .unknown }
  }

  /// Does what a request asks for.
  ///
  /// `POST`: 201 for a report that is kept now, 200 for one that was kept before; the body is the stored record. `GET`:
  /// 200 and an array of records, the one that came in first at the front. Else 400, 401, 403, 405, 413, 415 or 503 with
  /// `{"error":true,"reason":"one sentence"}`; then nothing was stored.
  public func answer(to request: TransportRequest) async -> TransportResponse {
    await answer(to: request) { action throws(ReportRefusal) in
      try await self.user(Self.header("authorization", of: request), action)
    }
  }

  /// Does what a request asks for of which the server knows that this user sends it, and that he may.
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

  /// Takes a report.
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

  /// The latest reports, the one that came in first at the front.
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

  /// Whether two tokens are the same, found out in a time that does not tell where they differ.
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

  /// The answer that tells of a refusal.
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
