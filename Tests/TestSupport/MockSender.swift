import Analytics
import Foundation
import ServiceTransport
import Synchronization

/// A mock: keeps what is sent and sends it back, decoded from the request's own body.
public final class MockSender: RequestSender {
  private let sent = Mutex<[any Sendable]>([])

  public init() {}

  /// What was sent last.
  public var lastSent: (any Sendable)? { sent.withLock { $0.last } }
  /// How often something was sent.
  public var sendCount: Int { sent.withLock { $0.count } }

  public func send<T: Decodable & Sendable>(_ request: TransportRequest, as type: T.Type) async throws -> T {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let value = try decoder.decode(type, from: Data(request.body))
    sent.withLock { $0.append(value) }
    return value
  }
}
