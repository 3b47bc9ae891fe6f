import Platform

/// Small files of the state folder, which are replaced atomically.
package enum SmallFile {
  /// Larger files are not ours.
  private static let largest = 16 << 20

  /// Replaces a file's text; it is durable when this returns.
  package static func write(_ text: String, to path: String) throws(StateFileError) {
    try write(Array(text.utf8), to: path, permissions: 0o640)
  }

  /// Replaces a file's content; it is durable when this returns. What root writes belongs to the folder's owner.
  package static func write(_ bytes: [UInt8], to path: String, permissions: mode_t) throws(StateFileError) {
    do throws(FileReplacement.Failure) {
      try FileReplacement.replace(path, with: bytes, permissions: permissions) { StateFolder.giveToOwner($0, of: path) }
    } catch { throw StateFileError(path: path, errno: error.errno) }
  }

  /// The text of a file; `nil` if it does not exist.
  package static func text(of path: String) throws(StateFileError) -> String? {
    try bytes(of: path, followsLinks: true).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The content of a file; `nil` if it does not exist. An unreadable file is an error, so that nobody overwrites it.
  /// - Parameter followsLinks: whether it may be a symbolic link, as of a file that is kept elsewhere.
  package static func bytes(of path: String, followsLinks: Bool = false) throws(StateFileError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StateFileError(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest else {
      throw StateFileError(path: path, errno: EINVAL)
    }
    var bytes: [UInt8] = []
    let number = readWhole(descriptor, into: &bytes)
    guard number == 0 else { throw StateFileError(path: path, errno: number) }
    return bytes
  }
}
