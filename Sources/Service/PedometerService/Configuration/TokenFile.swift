import ServiceHTTP
import ServiceSettings

package enum TokenFile {
  /// Its name among the credentials of the service manager.
  package static let credential = "pedometerd.token"

  /// Reads the token.
  /// - Parameter place: the location of the setting.
  static func read(_ path: String, place: String) throws(ConfigurationError) -> ServiceToken {
    let text = try SecretFile.text(of: path, "the token file", create: "openssl rand -hex 24", place: place)
    do { return try ServiceToken(text) } catch {
      throw ConfigurationError("\(path): \(error.message)", at: place)
    }
  }
}
