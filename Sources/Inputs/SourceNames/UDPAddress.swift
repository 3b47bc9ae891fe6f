/// A UDP port on which samples arrive, as in `udp:5555`, `udp:127.0.0.1:5555` or `udp:[::1]:5555`.
public struct UDPAddress: Sendable, Hashable {
  /// The address of this computer to receive at; `nil`: all of them.
  public var host: String?
  /// The port.
  public var port: UInt16

  /// Describes a port.
  public init(host: String? = nil, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads what stands behind `udp:`.
  init(parsing text: String) throws(SourceURI.ParsingError) {
    let colon = text.lastIndex(of: ":")
    let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
    let host = colon.map { String(text[..<$0]) }
    guard let port = Self.port(digits), port > 0, host.map(Self.isHost) ?? true else {
      throw .invalidNetworkAddress("udp:" + text)
    }
    self.init(host: host.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }, port: port)
  }

  /// A number without a sign.
  static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
  }

  /// Splits `host:port` at the colon before the port, which belongs to the port; an address with colons stands in
  /// brackets.
  static func parts(ofAuthority text: Substring) -> (host: Substring, port: Substring) {
    let isBracketed = text.hasPrefix("[")
    let end = isBracketed ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
    let host = text[..<(end ?? text.endIndex)]
    return (host, text[host.endIndex...])
  }

  /// Whether it is a host, with a port or without one.
  static func isAuthority(_ text: Substring) -> Bool {
    let (host, port) = parts(ofAuthority: text)
    return isHost(String(host)) && (port.isEmpty || (port.hasPrefix(":") && Self.port(port.dropFirst()) != nil))
  }

  /// A name or an address; one with colons stands in brackets.
  static func isHost(_ text: String) -> Bool {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let inner = isBracketed ? text.dropFirst().dropLast() : text[...]
    return !inner.isEmpty
      && inner.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E || byte == 0x2D
          || (isBracketed && (byte == 0x3A || byte == 0x25))
      }
  }
}

extension UDPAddress: CustomStringConvertible {
  /// What stands behind `udp:`.
  public var description: String {
    guard let host else { return "\(port)" }
    return host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
