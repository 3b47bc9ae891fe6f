import LiveSources
import ServiceTransport
import Synchronization

/// How the commands of this executable send requests: the executable says it once, before the first command runs.
///
/// An HTTP client is larger than everything that counts steps, so only `pedometer-full` has one; `pedometer` becomes that
/// executable as soon as somebody asks for a transport here.
package enum Network {
  private static let maker = Mutex<@Sendable () throws -> any Transport>({ NoTransport() })

  /// From now on requests go through what this makes.
  package static func use(_ make: @escaping @Sendable () throws -> any Transport) { maker.withLock { $0 = make } }

  /// What sends requests.
  /// - Throws: what stands in the way, as a sentence with a remedy.
  static func transport() throws -> any Transport { try maker.withLock { $0 }() }

  /// The service of the environment, as far as it can be asked from here.
  static var service: ServiceAccess? {
    ServiceAddress.fromEnvironment().map { ServiceAccess(address: $0) { try transport() } }
  }
}

/// Where nothing can be sent.
struct NoTransport: Transport {
  var reason = "this program has no network"

  func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    throw TransportError.unreachable(address: request.url, reason: reason)
  }

  func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    throw TransportError.unreachable(address: request.url, reason: reason)
  }
}
