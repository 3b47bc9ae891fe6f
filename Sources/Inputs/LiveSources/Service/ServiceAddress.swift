import Glibc
import ServiceTransport

/// The address of a running `pedometerd`.
package struct ServiceAddress: Sendable, Hashable {
  /// `http://127.0.0.1:8080`, without a trailing slash.
  package var url: String
  /// The token, if it requires one.
  package var token: String?
  /// Whether it was set explicitly; at the default address there need not be a service.
  package var isNamed = false

  /// The default address.
  package static let usual = "http://127.0.0.1:8080"

  package init(url: String, token: String? = nil) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.token = token
  }

  /// The address in the environment: `PEDOMETER_SERVICE` (an address, or `off`) and `PEDOMETER_TOKEN`; otherwise the
  /// default.
  /// - Returns: `nil` if the service is not to be used.
  package static func fromEnvironment(_ variable: (String) -> String? = Self.variable) -> ServiceAddress? {
    let named = variable("PEDOMETER_SERVICE")
    let url = named ?? usual
    if url == "off" || url.isEmpty { return nil }
    var address = ServiceAddress(url: url, token: variable("PEDOMETER_TOKEN"))
    address.isNamed = named != nil
    return address
  }

  /// A variable of this process's environment.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

/// A running `pedometerd`, and its transport.
package struct ServiceAccess: Sendable {
  package var address: ServiceAddress
  /// Sends requests.
  package var transport: any Transport

  package init(address: ServiceAddress, transport: any Transport) {
    self.address = address
    self.transport = transport
  }
}
