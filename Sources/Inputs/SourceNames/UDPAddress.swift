/// A UDP port on which samples arrive, as in `udp:5555`, `udp:127.0.0.1:5555` or `udp:[::1]:5555`.
public struct UDPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address of this computer to receive at; `nil`: all of them.
  public var host: String?
  /// The port.
  public var port: UInt16

  /// Describes a port.
  public init(host: String? = nil, port: UInt16) { (self.host, self.port) = (host, port) }

  init(parsing text: String) throws(SourceURI.ParsingError) {
    let colon = text.lastIndex(of: ":")
    let host = colon.map { Authority.host(text[..<$0]) }
    guard let port = Authority.port(colon.map { text[text.index(after: $0)...] } ?? text[...]), port > 0,
      host != .some(nil)
    else { throw .invalid("udp:" + text, as: "udp") }
    self.init(host: host ?? nil, port: port)
  }

  /// What stands behind `udp:`.
  public var description: String { host.map { Authority.text($0, port: ":\(port)") } ?? "\(port)" }
}
