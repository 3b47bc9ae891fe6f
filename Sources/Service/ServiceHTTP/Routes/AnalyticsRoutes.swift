import Analytics
import Foundation
import HTTPTypes
import Hummingbird
import ServiceCore
import ServiceTransport

/// Analytics reports. ``AnalyticsInbox`` defines their format, and the gatekeeper who may send and read them.
package struct AnalyticsRoutes: RouteGroup {
  static let path = "/api/analytics"
  /// There is one token, so all its holders are the same user.
  static let user = "walker"

  private let inbox: AnalyticsInbox
  private let pace: RateLimiter
  private let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - clock: the current date.
  ///   - now: the time since any fixed instant.
  package init(
    store: any ReportStore, limits: ServiceLimits, clock: @escaping @Sendable () -> Date,
    now: @escaping @Sendable () -> Duration = ServiceApplication.uptime()
  ) {
    inbox = AnalyticsInbox(store: store, now: clock)
    pace = RateLimiter(burst: limits.reportBurst, perSecond: limits.reportsPerSecond)
    self.now = now
  }

  package func register(in routes: inout RouteTable) {
    routes.add(.get, Self.path, .tokenAlways) { [inbox] request, _ in
      try Self.checkLimit(request.query()["limit"])
      return await Self.response(inbox.answer(to: Self.transportRequest(request, body: []), from: Self.user))
    }
    routes.add(.post, Self.path, .tokenAlways) { [inbox, pace, now] request, context in
      if let wait = pace.take(context.client, at: now()) { throw ServiceRefusal(wait: wait) }
      let body = Array(try await request.wholeBody(upTo: AnalyticsInbox.longestBody).readableBytesView)
      return await Self.response(inbox.answer(to: Self.transportRequest(request, body: body), from: Self.user))
    }
  }

  private static func checkLimit(_ text: String?) throws(ServiceRefusal) {
    guard let text, Int(text).map({ 0...AnalyticsInbox.longestList ~= $0 }) != true else { return }
    throw ServiceRefusal(400, "'limit' is not between 0 and \(AnalyticsInbox.longestList); send a number of reports")
  }

  private static func transportRequest(_ request: Request, body: [UInt8]) -> TransportRequest {
    let type = request.headers[.contentType].map { TransportRequest.Header("Content-Type", $0) }
    return TransportRequest(
      method: body.isEmpty && request.method == .head ? "GET" : request.method.rawValue,
      url: request.head.path ?? path, headers: type.map { [$0] } ?? [], body: body)
  }

  private static func response(_ answer: TransportResponse) -> Response {
    var response = Response.plain(
      answer.body, type: "application/json; charset=utf-8", status: .init(code: answer.status))
    for header in answer.headers where header.name != "content-type" {
      if let name = HTTPField.Name(header.name) { response.headers[name] = header.value }
    }
    return response
  }
}
