import NIOCore

/// The addresses with which a machine reaches itself.
package enum Loopback {
  /// Whether a host, in an address or in a request, can only be this machine.
  package static func includes(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return false }
    switch address {
    case .v4: return host.hasPrefix("127.")
    // The form of an IPv4 client for a server that listens on both families at once.
    case .v6: return address.ipAddress == "::1" || address.ipAddress?.hasPrefix("::ffff:127.") == true
    case .unixDomainSocket: return false
    }
  }
}
