/// Why the service does not start.
enum SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  case badAddress(String)
  case noAddress
  case openWithoutToken(String)
  case emptyToken
  case shortToken(Int)
  case oddToken
  case keyWithoutCertificate
  case certificate(path: String, reason: String)

  var description: String {
    switch self {
    case .badAddress(let text): "'\(text)' is no address to listen on; write HOST:PORT, such as 127.0.0.1:8080"
    case .noAddress: "there is no address to listen on; give one, such as 127.0.0.1:8080"
    case .openWithoutToken(let address):
      "\(address) can be reached from other machines, and no token is set; give --token-file FILE, or listen on "
        + "127.0.0.1 only"
    case .emptyToken: "the token is empty; write one of at least \(ServiceToken.shortest) characters into its file"
    case .shortToken(let count):
      "the token has \(count) characters, so it can be guessed; take at least \(ServiceToken.shortest), as "
        + "`openssl rand -base64 24` prints them"
    case .oddToken: "the token has characters that no header can carry; take letters, digits and signs of ASCII"
    case .keyWithoutCertificate: "TLS needs both a certificate and its key; give both, or neither"
    case .certificate(let path, let reason): "\(path) cannot be used for TLS (\(reason)); give a PEM file"
    }
  }
}
