import Analytics
import Foundation
import ServiceTransport
import Synchronization

/// A mock: records what is sent and returns it, decoded from the request's body.
public final class MockSender: RequestSender {
  private let sent = Mutex<[any Sendable]>([])

  public init() {}

  /// The last request.
  public var lastSent: (any Sendable)? { sent.withLock { $0.last } }
  /// The number of requests.
  public var sendCount: Int { sent.withLock { $0.count } }

  public func send<T: Decodable & Sendable>(_ request: TransportRequest, as type: T.Type) async throws -> T {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let value = try decoder.decode(type, from: Data(request.body))
    sent.withLock { $0.append(value) }
    return value
  }
}
