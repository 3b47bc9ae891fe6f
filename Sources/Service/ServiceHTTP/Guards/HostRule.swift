import HTTPTypes
import Hummingbird
import ServiceCore

/// The names of the service, and the pages that may send requests.
///
/// A page of another site can make a browser send requests to the service: by a link or a script (detected by `Origin`
/// or `Sec-Fetch-Site`), or by rebinding its own name to 127.0.0.1 (detected by `Host`).
struct HostRule: Sendable {
  private let names: Set<String>
  private let allowsLiterals: Bool

  private static let field = HTTPField.Name("host")!

  init(_ settings: HTTPSettings) {
    var names = Set(settings.hostNames.map { $0.lowercased() })
    names.formUnion(settings.addresses.map { $0.host.lowercased() })
    self.names = names
    // Other machines may use any address of this one; a name server cannot forge an address.
    allowsLiterals = settings.isOpen
  }

  /// Refuses a request that was not meant for this service.
  func checkHost(_ request: Request) throws(ServiceRefusal) {
    // The first one is the authority. A proxy may have checked the other (RFC 9112, 3.2).
    guard request.headers[values: Self.field].isEmpty else {
      throw ServiceRefusal(400, "several Host headers; send one")
    }
    guard let authority = request.head.authority, let host = Self.host(of: authority) else {
      throw ServiceRefusal(400, "missing or malformed Host header; send the host name")
    }
    if Loopback.includes(host) || names.contains(host) { return }
    if allowsLiterals, ListenAddress.isLiteral(host) { return }
    throw ServiceRefusal(403, "host name not allowed; use the service's address, or add the name to its host-names")
  }

  /// Refuses a request of a page of another origin. Programs other than browsers send neither header.
  func checkOrigin(_ request: Request) throws(ServiceRefusal) {
    let refusal = ServiceRefusal(403, "pages of other origins may not do this; use the service's own")
    if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { throw refusal }
    guard let origin = request.headers[.origin] else { return }
    guard let authority = request.head.authority, let start = origin.range(of: "://"),
      ["http", "https"].contains(origin[..<start.lowerBound]),
      origin[start.upperBound...].lowercased() == authority.lowercased()
    else { throw refusal }
  }

  /// The host of `host:port`, in lower case, an IPv6 address without its brackets; `nil` if it is malformed.
  static func host(of authority: String) -> String? {
    var host = authority[...]
    if host.first == "[" {
      guard let end = host.lastIndex(of: "]") else { return nil }
      guard isPort(host[host.index(after: end)...]) else { return nil }
      host = host[host.index(after: host.startIndex)..<end]
    } else if let colon = host.firstIndex(of: ":") {
      guard isPort(host[colon...]) else { return nil }
      host = host[..<colon]
    }
    // A name may end with a dot, with the same meaning.
    if host.last == "." { host.removeLast() }
    let isFit = host.utf8.allSatisfy { byte in
      (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x3A || byte == 0x5F
    }
    return host.isEmpty || !isFit ? nil : host.lowercased()
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text == ":" || (text.first == ":" && UInt16(text.dropFirst()) != nil)
  }
}
