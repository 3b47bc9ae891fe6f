import Analytics
import Foundation
import ServiceTransport

/// A service that receives reports in a test. The same test bodies run with the one in memory here, or with a real one
/// on loopback: `AnalyticsBackEnd(transport: network, access: …)`.
public struct AnalyticsBackEnd: Sendable {
  /// How to reach it.
  public var transport: any Transport
  /// Its address, and a token that may report and read.
  public var access: AnalyticsAccess

  /// Creates a back end with a transport and an access.
  public init(transport: any Transport, access: AnalyticsAccess) {
    self.transport = transport
    self.access = access
  }

  /// The token of ``inMemory(store:)``.
  public static let token = "walker's-token"

  /// The service's rules with a store in memory.
  public static func inMemory(store: any ReportStore = InMemoryReportStore()) throws -> AnalyticsBackEnd {
    let inbox = AnalyticsInbox(store: store)
    return AnalyticsBackEnd(
      transport: CannedTransport { request in
        let shown = request.headers.first { $0.name.lowercased() == "authorization" }?.value
        switch (shown, request.method) {
        case ("Bearer \(Self.token)", _): return await inbox.answer(to: request, from: "walker")
        case ("Bearer reader's-token", "GET"): return await inbox.answer(to: request, from: "reader")
        case ("Bearer reader's-token", _): return Self.refusal(403, "this token does not permit that; use another one")
        default: return Self.refusal(401, "unknown token; use a valid one")
        }
      },
      access: AnalyticsAccess(address: try AnalyticsAddress("http://127.0.0.1:8080"), token: token))
  }

  private static func refusal(_ status: Int, _ reason: String) -> TransportResponse {
    TransportResponse(status: status, body: Array(#"{"error":true,"reason":"\#(reason)"}"#.utf8))
  }

  /// The stored reports, as returned to a client.
  public func kept() async throws -> [StoredReport] {
    let request = TransportRequest(
      url: access.address.url(of: AnalyticsClient.path), headers: [.init("Authorization", "Bearer \(access.token)")])
    let answer = try await transport.send(request, timeout: Hang.limit)
    return try JSONDecoder().decode([StoredReport].self, from: Data(answer.body))
  }

  /// Lets a closure report to it, delivers all reports, and returns the stored ones.
  /// - Parameter folder: for the spool.
  public func kept(spool folder: String, after body: (any AnalyticsAPI) -> Void) async throws -> [StoredReport] {
    let spool = ReportSpool(folder: folder)
    let access = access
    let delivery = ReportDelivery(
      spool: spool, client: AnalyticsClient(access: { access }, sender: TransportSender(transport: transport)))
    body(SpoolOnly(spool: spool))
    await delivery.drain()
    return try await kept()
  }

  /// Collects reports for a test that delivers them itself.
  private struct SpoolOnly: AnalyticsAPI {
    let spool: ReportSpool
    func sendReport(report: Report) { spool.append(report) }
  }
}

extension ReportDelivery {
  /// Delivers the queued reports, and stops at the first obstacle.
  /// - Returns: `empty` if all were delivered.
  @discardableResult
  package func drain() async -> Outcome {
    while true {
      let outcome = await attempt()
      if outcome != .settled { return outcome }
    }
  }
}

/// A partial mock: a transport to a real service whose first attempts fail, each in its own way.
public final class FaultyTransport: Transport {
  /// The result of an attempt.
  public enum Fault: Sendable, Hashable {
    /// The service is unreachable.
    case down
    /// The request arrives, but its answer does not.
    case slow
    /// A status, without reading the request.
    case status(Int)
    /// A 200 with a meaningless body.
    case garbage
  }

  private let real: any Transport
  private let stub: CannedTransport

  /// Fails the given attempts in order, and passes on all others.
  public init(to real: any Transport, _ faults: [Fault]) {
    self.real = real
    stub = CannedTransport(
      first: faults.map { fault in
        { request in
          switch fault {
          case .down: throw TransportError.unreachable(address: request.url, reason: "connection refused")
          case .slow:
            _ = try await real.send(request, timeout: Hang.limit)
            throw TransportError.timedOut(address: request.url)
          case .status(let status): return TransportResponse(status: status, body: Array("<html>".utf8))
          case .garbage: return TransportResponse(status: 200, body: Array("<html>it works!</html>".utf8))
          }
        }
      }, then: { try await real.send($0, timeout: Hang.limit) })
  }

  /// The attempts.
  public var requests: [TransportRequest] { stub.requests }

  /// Returns when this many attempts were made.
  public func waitForRequests(_ count: Int) async { await stub.waitForRequests(count) }

  public func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    try await stub.send(request, timeout: timeout)
  }

  public func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    try await real.open(request, silence: silence)
  }
}
