import FoundationEssentials
import ServiceTransport

/// The receiving end of reports: implements `POST` and `GET /api/analytics` for any server, which authenticates users and passes
/// their requests:
///
///     let answer = await inbox.answer(to: request, from: user)
public struct AnalyticsInbox: Sendable {
  /// The maximum length of a body in bytes; a server may stop reading there.
  public static let longestBody = ReportDraft.longestBody
  /// The maximum number of reports in the answer of `GET`; `?limit=` requests fewer.
  public static let longestList = 10_000

  private let store: any ReportStore
  private let now: @Sendable () -> Date

  /// Creates an inbox.
  /// - Parameters:
  ///   - store: stores the reports.
  ///   - now: the service's clock.
  public init(store: any ReportStore, now: @escaping @Sendable () -> Date = { Date() }) {
    (self.store, self.now) = (store, now)
  }

  /// Handles a request of a user whom the server has authenticated and authorised.
  ///
  /// `POST`: 201 for a new report, 200 for one that was stored before; the body is the stored record. `GET`: 200 and an
  /// array of records, the first received first. Otherwise 400, 405, 413, 415 or 503 with
  /// `{"error":true,"reason":"one sentence"}`; then nothing was stored.
  public func answer(to request: TransportRequest, from user: String) async -> TransportResponse {
    do throws(ReportRefusal) {
      switch request.method {
      case "POST":
        let draft = try ReportDraft.read(request.body, contentType: Self.header("content-type", of: request))
        let report = try draft.checked(user: user, eventDate: now())
        let receipt = try await stored { try await store.store(report) }
        return Self.json(receipt.isNew ? 201 : 200, receipt.report)
      case "GET":
        let limit = min(max(Self.limit(in: request.url) ?? Self.longestList, 0), Self.longestList)
        return Self.json(200, try await stored { try await store.reports(limit: limit) })
      default: throw ReportRefusal(status: 405, reason: "send reports with POST and list them with GET")
      }
    } catch { return Self.refusal(error) }
  }

  private func stored<Value>(_ body: () async throws -> Value) async throws(ReportRefusal) -> Value {
    do { return try await body() } catch {
      throw ReportRefusal(status: 503, reason: "reports cannot be stored or read at the moment; try again later")
    }
  }

  // MARK: Requests and answers

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

  private static func refusal(_ refusal: ReportRefusal) -> TransportResponse {
    var response = json(refusal.status, APIError(reason: refusal.reason))
    switch refusal.status {
    case 405: response.headers.append(.init("allow", "GET, POST"))
    case 503: response.headers.append(.init("retry-after", "30"))
    default: break
    }
    return response
  }
}
