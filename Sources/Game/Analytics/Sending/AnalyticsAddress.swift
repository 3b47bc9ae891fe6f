import FoundationEssentials

/// The address of a service, checked once, so that addresses derived from it are valid.
public struct AnalyticsAddress: Sendable, Hashable, CustomStringConvertible {
  /// Without a trailing slash.
  private let base: String
  /// Whether requests stay on this computer or are encrypted.
  public let isPrivate: Bool

  /// Why an address is invalid.
  public struct Invalid: Error, Sendable, Hashable, CustomStringConvertible {
    /// The invalid text.
    public let text: String
    public var description: String {
      "'\(text)' is not the address of a service; write http://HOST:PORT or https://HOST"
    }
  }

  /// Parses `http://HOST:PORT/…` or `https://…`, without user, query or fragment.
  public init(_ text: String) throws(Invalid) {
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let parts = URLComponents(string: text),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil,
      parts.query == nil, parts.fragment == nil, parts.port.map({ 1...65_535 ~= $0 }) ?? true
    else { throw Invalid(text: text) }
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    // The full address of the reports, as documents of services show it.
    if path.hasSuffix("/" + AnalyticsClient.path) { path.removeLast(AnalyticsClient.path.utf8.count + 1) }
    base = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "") + path
    isPrivate = scheme == "https" || host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
  }

  /// The address of a path below it, such as `api/analytics`.
  public func url(of path: String) -> String { "\(base)/\(path)" }

  public var description: String { base }
}

/// A service, and the token that identifies the reporting user.
public struct AnalyticsAccess: Sendable, Hashable {
  /// The address of the service.
  public var address: AnalyticsAddress
  /// The token after `Bearer`.
  public var token: String

  /// Creates an access.
  public init(address: AnalyticsAddress, token: String) { (self.address, self.token) = (address, token) }
}
