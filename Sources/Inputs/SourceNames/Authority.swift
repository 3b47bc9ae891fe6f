/// Host and port of a server, as `broker.example:1883` or `[fe80::1%eth0]`.
struct Authority {
  /// A name or an address, without brackets.
  let host: String
  let port: UInt16?

  /// - Returns: `nil` if it is something else. The port follows the first colon; an address with colons stands in brackets.
  init?(_ text: Substring) {
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
    let name = text[..<(end ?? text.endIndex)]
    let rest = text[name.endIndex...]
    guard let host = Self.host(name) else { return nil }
    self.host = host
    port = Self.port(rest.dropFirst())
    if !rest.isEmpty, !rest.hasPrefix(":") || port == nil { return nil }
  }

  /// A name, or an address, which may stand in brackets and then have colons; `nil` if it is neither.
  static func host(_ text: Substring) -> String? {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let inner = isBracketed ? text.dropFirst().dropLast() : text
    let isHost = inner.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E || byte == 0x2D
        || (isBracketed && (byte == 0x3A || byte == 0x25))
    }
    return inner.isEmpty || !isHost ? nil : String(inner)
  }

  /// A number without a sign.
  static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
  }

  /// Host and port as in a name; an address with colons gets brackets.
  static func text(_ host: String, port: String) -> String { (host.utf8.contains(0x3A) ? "[\(host)]" : host) + port }
}
