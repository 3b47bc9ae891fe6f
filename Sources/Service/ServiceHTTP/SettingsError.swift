/// Why the service does not start.
package enum SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  case badAddress(String)
  case noAddress
  case openWithoutToken(String)
  case emptyToken
  case shortToken(Int)
  case oddToken
  case certificate(path: String, reason: String)

  package var description: String {
    switch self {
    case .badAddress(let text): "'\(text)' is not an address to listen on; write HOST:PORT, such as 127.0.0.1:8080"
    case .noAddress: "no address to listen on; give one, such as 127.0.0.1:8080"
    case .openWithoutToken(let address):
      "\(address) is accessible from other machines, but no token is set; add --token-file FILE, or listen on "
        + "127.0.0.1 only"
    case .emptyToken: "the token is empty; write one of at least \(ServiceToken.shortest) characters into its file"
    case .shortToken(let count):
      "the token has only \(count) characters; use at least \(ServiceToken.shortest), such as those that "
        + "`openssl rand -base64 24` prints"
    case .oddToken: "the token contains characters not allowed in a header; use ASCII letters, digits and punctuation"
    case .certificate(let path, let reason): "\(path) cannot be used for TLS (\(reason)); give a PEM file"
    }
  }
}
