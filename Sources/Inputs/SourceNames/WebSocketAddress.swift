/// The address of an app that sends samples over a WebSocket, as in
/// `ws://192.168.1.7:8080/sensor/connect?type=android.sensor.accelerometer`, or with TLS as in
/// `wss://phone.example/walk,ca=/etc/ssl/home.pem`.
public struct WebSocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// Host and port, as `192.168.1.7:8080`; without a port it is 80, with TLS 443.
  public let authority: String
  /// Path and query. If only host and port are given, those that the app SensorServer has for its accelerometer.
  public let target: String

  /// Whether to use TLS.
  public let isEncrypted: Bool
  /// A file with the certificates (PEM) of the authorities to trust, or the server's own; `nil`: the system's.
  public let authorities: String?

  /// The URL.
  public var url: String { (isEncrypted ? "wss://" : "ws://") + authority + target }
  /// The host, without brackets.
  public let host: String
  /// The port.
  public let port: UInt16

  private static let accelerometer = "/sensor/connect?type=android.sensor.accelerometer"

  private static let option = ",ca="

  /// Reads what stands behind `ws:` or `wss:`; the two slashes may be left out.
  init(parsing text: String, isEncrypted: Bool = false) throws(SourceURI.ParsingError) {
    let scheme = isEncrypted ? "wss:" : "ws:"
    var rest = [scheme + "//", "//"].first { text.hasPrefix($0) }.map { text.dropFirst($0.utf8.count) } ?? text[...]
    var authorities: String?
    if isEncrypted, let option = rest.indices.last(where: { rest[$0...].hasPrefix(Self.option) }) {
      authorities = String(rest[option...].dropFirst(Self.option.count))
      rest = rest[..<option]
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest[authority.endIndex...]
    // Visible ASCII; a fragment is not sent.
    guard let place = Authority(authority), authorities != "", target.isEmpty || target.hasPrefix("/"),
      target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { throw .invalid(scheme + text, as: "ws") }
    (self.isEncrypted, self.authorities) = (isEncrypted, authorities)
    self.authority = String(authority)
    (host, port) = (place.host, place.port ?? (isEncrypted ? 443 : 80))
    self.target = target.isEmpty ? Self.accelerometer : String(target)
  }

  /// The URL with its option, which parses as this source.
  public var description: String { url + (authorities.map { Self.option + $0 } ?? "") }
}
