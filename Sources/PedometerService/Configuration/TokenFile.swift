import Foundation
import Platform

/// The file with the clients' token, readable only by its owner.
package enum TokenFile {
  /// Its name among the credentials of the service manager.
  package static let credential = "pedometerd.token"

  /// Whether the file exists.
  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Reads the token.
  /// - Parameter place: where the file was named.
  static func read(_ path: String, place: String) throws(ConfigurationError) -> ServiceToken {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    let reason = errno
    guard descriptor >= 0 else {
      throw ConfigurationError(
        "the token file \(path) cannot be opened (\(systemText(reason))); "
          + (reason == ENOENT
            ? "create it with: (umask 077; openssl rand -hex 24 > \(path))" : "give it to the service's user: chown"),
        at: place)
    }
    defer { close(descriptor) }
    // Of the open file, since another file may have the name by now.
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationError("\(path) is not a file; give one that contains the token", at: place)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ConfigurationError("others may read the token file \(path); run: chmod 600 \(path)", at: place)
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ConfigurationError("the token file \(path) belongs to another user; change its owner: chown", at: place)
    }
    let text = FileHandle(fileDescriptor: descriptor).readDataToEndOfFile()
    do throws(SettingsError) {
      return try ServiceToken(String(decoding: text, as: UTF8.self))
    } catch {
      throw ConfigurationError("\(path): \(error)", at: place)
    }
  }
}
