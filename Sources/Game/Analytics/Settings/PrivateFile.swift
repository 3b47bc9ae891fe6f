import Platform

enum PrivateFile {
  /// The bytes of a file, at most 64 KiB; `nil` if it cannot be read.
  static func bytes(of path: String) -> [UInt8]? { readFile(path, upTo: 65_536, flags: O_NONBLOCK) }

  /// Replaces a file atomically; only its owner may read it.
  /// - Throws: the system error.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemFailure) {
    do throws(FileReplacement.Failure) {
      try FileReplacement.replace(path, with: bytes, permissions: 0o600)
    } catch { throw SystemFailure(errno: error.errno) }
  }

  /// Creates a folder and its parents, accessible only to its owner.
  /// - Throws: the system error.
  static func makeFolder(_ path: String) throws(SystemFailure) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw SystemFailure() }
    try makeFolder(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure() }
  }
}

/// A failed system call.
public struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of errno(3).
  public let errno: Int32

  init(errno: Int32 = Platform.errno) { self.errno = errno }

  public var description: String { systemText(errno).lowercased() }
}
