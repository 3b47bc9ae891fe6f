import NIOCore
import ServiceCore
import ServiceSettings

/// A host and a port to listen on.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// A name or a literal address, IPv6 without its brackets.
  package var host: String
  /// 0 means any free port.
  package var port: Int

  /// An address that only users of this machine can reach.
  package static let loopback = ListenAddress(host: "127.0.0.1", port: 8080)

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  /// `127.0.0.1:8080`, `localhost:8080` or `[::1]:8080`.
  /// - Parameter place: the location of the setting.
  package init(_ text: String, at place: String? = nil) throws(ConfigurationError) {
    let fault = ConfigurationError(
      "'\(text)' is not an address to listen on; write HOST:PORT, such as 127.0.0.1:8080", at: place)
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { throw fault }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw fault
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
      throw fault
    }
    self.init(host: String(host), port: Int(port))
  }

  /// Whether it means the loopback addresses of both families.
  var isLocalhost: Bool { host.lowercased() == "localhost" }

  /// Whether only this machine can reach it. A name other than `localhost` may mean any address, so it does not count.
  package var isLoopback: Bool { Loopback.includes(host) }

  /// Whether a host is an address rather than a name, so that no name server can change its meaning.
  static func isLiteral(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
