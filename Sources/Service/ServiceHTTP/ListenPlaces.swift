import Glibc
import NIOCore

/// The addresses of the servers: those of the settings, each once. `localhost` means the loopback addresses of IPv4 and IPv6, as far as
/// this machine has them.
///
/// The name is not resolved, as RFC 6761, section 6.3 advises: the hosts file may lack it or know only one of the two,
/// and clients try either.
struct ListenPlaces {
  private(set) var addresses: [ListenAddress] = []

  /// - Parameter trouble: the errno of binding a literal address; tests use their own.
  /// - Throws: why neither family is available.
  init(_ settings: [ListenAddress], trouble: (_ host: String) -> Int32 = Self.trouble) throws(ListenFailure) {
    for address in settings {
      guard address.isLocalhost else {
        add(address)
        continue
      }
      var faults: [ListenFailure] = []
      for host in ["127.0.0.1", "::1"] {
        let place = ListenAddress(host: host, port: address.port)
        let fault = ListenFailure(address: "\(place)", errno: trouble(host))
        if fault.isFamilyMissing { faults.append(fault) } else { add(place) }
      }
      if faults.count > 1 { throw faults[0] }
    }
  }

  private mutating func add(_ address: ListenAddress) {
    if address.port == 0 || !addresses.contains(address) { addresses.append(address) }
  }

  /// The errno of binding any port of a literal address; 0 if it succeeds.
  private static func trouble(_ host: String) -> Int32 {
    guard let place = try? SocketAddress(ipAddress: host, port: 0) else { return EADDRNOTAVAIL }
    let family = place.protocol == .inet6 ? AF_INET6 : AF_INET
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return unsafe place.withSockAddr({ unsafe bind(descriptor, $0, socklen_t($1)) }) == 0 ? 0 : errno
  }
}
