import Foundation
import Platform

/// A file with a secret, readable only by its owner.
package enum SecretFile {
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Reads a secret.
  /// - Parameters:
  ///   - what: what the file is, for messages.
  ///   - create: the command whose output is a secret.
  ///   - place: the location of the setting.
  package static func text(
    of path: String, _ what: String, create: String, place: String?
  ) throws(ConfigurationError) -> String {
    // Without O_NONBLOCK, a named pipe would wait for a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    let reason = errno
    guard descriptor >= 0 else {
      throw ConfigurationError(
        "\(what) \(path) cannot be opened (\(systemText(reason))); "
          + (reason == ENOENT
            ? "create it with: (umask 077; \(create) > \(path))" : "give it to the service's user: chown"),
        at: place)
    }
    defer { close(descriptor) }
    // Checks the open file, because the name may refer to another file by now.
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationError("\(path) is not a file; give one that contains the secret", at: place)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ConfigurationError("others may read \(what) \(path); run: chmod 600 \(path)", at: place)
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ConfigurationError("\(what) \(path) belongs to another user; change its owner: chown", at: place)
    }
    return String(decoding: FileHandle(fileDescriptor: descriptor).readDataToEndOfFile(), as: UTF8.self)
  }
}
