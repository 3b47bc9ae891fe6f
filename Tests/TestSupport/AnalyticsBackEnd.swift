import Analytics
import Foundation
import ServiceTransport

/// A service that reports are sent to in a test. The same test bodies run against any of them: the one in memory here,
/// and, for whoever starts it, a real one on loopback: `AnalyticsBackEnd(transport: network, access: …)`.
public struct AnalyticsBackEnd: Sendable {
  /// How it is reached.
  public var transport: any Transport
  /// Where it is, and a token that may report and read.
  public var access: AnalyticsAccess

  /// A service that is reached like this.
  public init(transport: any Transport, access: AnalyticsAccess) {
    self.transport = transport
    self.access = access
  }

  /// The token of ``inMemory(store:)``.
  public static let token = "walker's-token"

  /// The service's own rules over a store in memory.
  public static func inMemory(store: any ReportStore = InMemoryReportStore()) throws -> AnalyticsBackEnd {
    let inbox = AnalyticsInbox(store: store) { token, action in
      switch token {
      case Self.token: .allowed(user: "walker")
      case "reader's-token": action == .read ? .allowed(user: "reader") : .forbidden
      default: .unknown
      }
    }
    return AnalyticsBackEnd(
      transport: CannedTransport { await inbox.answer(to: $0) },
      access: AnalyticsAccess(address: try AnalyticsAddress("http://127.0.0.1:8080"), token: token))
  }

  /// What it has kept, as whoever asks it is told.
  public func kept() async throws -> [StoredReport] {
    let request = TransportRequest(
      url: access.address.url(of: AnalyticsClient.path), headers: [.init("Authorization", "Bearer \(access.token)")])
    let answer = try await transport.send(request, timeout: .seconds(10))
    return try JSONDecoder().decode([StoredReport].self, from: Data(answer.body))
  }

  /// Lets something report to it, delivers all of that, and asks it what it has kept.
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

  /// Takes reports for whoever delivers them himself.
  private struct SpoolOnly: AnalyticsAPI {
    let spool: ReportSpool
    func sendReport(report: Report) { spool.append(report) }
  }
}

/// A partial mock: a way to a real service on which the first attempts fail, each in its own way.
public final class FaultyTransport: Transport {
  /// What becomes of an attempt.
  public enum Fault: Sendable, Hashable {
    /// Nobody is there.
    case down
    /// The request arrives, and its answer does not.
    case slow
    /// A status, without a look at the request.
    case status(Int)
    /// A 200 that means nothing.
    case garbage
  }

  private let real: any Transport
  private let stub: CannedTransport

  /// Lets so many attempts fail like this, in order, and all others through.
  public init(to real: any Transport, _ faults: [Fault]) {
    self.real = real
    stub = CannedTransport(
      first: faults.map { fault in
        { request in
          switch fault {
          case .down: throw TransportError.unreachable(address: request.url, reason: "connection refused")
          case .slow:
            _ = try await real.send(request, timeout: .seconds(10))
            throw TransportError.timedOut(address: request.url)
          case .status(let status): return TransportResponse(status: status, body: Array("<html>".utf8))
          case .garbage: return TransportResponse(status: 200, body: Array("<html>it works!</html>".utf8))
          }
        }
      }, then: { try await real.send($0, timeout: .seconds(10)) })
  }

  /// What was attempted.
  public var requests: [TransportRequest] { stub.requests }

  /// Returns as soon as so many attempts were made.
  public func waitForRequests(_ count: Int) async { await stub.waitForRequests(count) }

  public func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    try await stub.send(request, timeout: timeout)
  }

  public func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    try await real.open(request, silence: silence)
  }
}
