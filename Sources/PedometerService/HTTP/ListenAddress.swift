import NIOCore

/// Where the service listens: a host and a port.
struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// A name or a literal address, IPv6 without its brackets.
  var host: String
  /// 0 means any that is free.
  var port: Int

  /// Where nobody but this machine's users comes.
  static let loopback = ListenAddress(host: "127.0.0.1", port: 8080)

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:8080`, `localhost:8080` or `[::1]:8080`.
  init(_ text: String) throws(SettingsError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw .badAddress(text)
    }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw .badAddress(text)
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
      throw .badAddress(text)
    }
    self.init(host: String(host), port: Int(port))
  }

  /// Whether it stands for the loopback addresses of both families.
  var isLocalhost: Bool { host.lowercased() == "localhost" }

  /// Whether only this machine can reach it. A name other than `localhost` may mean anything, so it does not count.
  var isLoopback: Bool { Self.isLoopback(host) }

  /// Whether a host, as it stands in an address or in a request, is this machine and nothing else.
  static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return false }
    switch address {
    case .v4: return host.hasPrefix("127.")
    // A client that speaks IPv4 is seen so by a server that listens on both families at once.
    case .v6: return address.ipAddress == "::1" || address.ipAddress?.hasPrefix("::ffff:127.") == true
    case .unixDomainSocket: return false
    }
  }

  /// Whether a host is an address rather than a name. No name server can make one mean something else.
  static func isLiteral(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }

  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
