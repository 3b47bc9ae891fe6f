import Glibc
import ServiceTransport

/// The address of a running `pedometerd`.
package struct ServiceAddress: Sendable, Hashable {
  /// `http://127.0.0.1:8080`, without a trailing slash.
  package var url: String
  package var token: String?
  /// Whether it was set explicitly; at the default address there need not be a service.
  package var isNamed = false

  package static let usual = "http://127.0.0.1:8080"

  package init(url: String, token: String? = nil) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.token = token
  }

  /// The address in the environment: `PEDOMETER_SERVICE` (an address, or `off`) and `PEDOMETER_TOKEN`; otherwise the default.
  /// - Returns: `nil` if the service is not to be used.
  package static func fromEnvironment(_ variable: (String) -> String? = Self.variable) -> ServiceAddress? {
    let named = variable("PEDOMETER_SERVICE")
    let url = named ?? usual
    if url == "off" || url.isEmpty { return nil }
    var address = ServiceAddress(url: url, token: variable("PEDOMETER_TOKEN"))
    address.isNamed = named != nil
    return address
  }

  package static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  package func request(
    _ path: String, method: String = "GET", headers: [TransportRequest.Header] = [], body: [UInt8] = []
  ) -> TransportRequest {
    let token = token.map { [TransportRequest.Header("Authorization", "Bearer \($0)")] } ?? []
    return TransportRequest(method: method, url: url + path, headers: headers + token, body: body)
  }
}

/// A running `pedometerd`, and its transport.
package struct ServiceAccess: Sendable {
  package var address: ServiceAddress
  package var transport: any Transport

  package init(address: ServiceAddress, transport: any Transport) {
    (self.address, self.transport) = (address, transport)
  }

  /// Waits for the answer to a request; `nil` if there is none in time.
  package func answer(to request: TransportRequest, within time: Duration) -> Result<TransportResponse, any Error>? {
    let transport = transport
    return Waiting.atMost(time) { () async -> Result<TransportResponse, any Error> in
      do { return .success(try await transport.send(request, timeout: time)) } catch { return .failure(error) }
    }
  }

  /// That the service did not do what was requested, and why.
  package func refusal(_ answer: TransportResponse) -> String {
    struct Refusal: Decodable { var reason: String }
    let reason = ServiceJSON.decode(Refusal.self, answer.body)?.reason ?? "it answered \(answer.status)"
    return "the service at \(address.url) refused: \(reason)"
  }
}
