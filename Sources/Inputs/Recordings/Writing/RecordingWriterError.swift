import Platform

/// The reason why a recording could not be written. Compare ``code`` and show ``message``.
public struct RecordingWriterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause. Later versions may add others.
  public enum Code: Sendable, Hashable {
    /// The file could not be created, or bytes not be written or synced to disk; see ``RecordingWriterError/errno``.
    case cannotCreate, io
    /// The pipe's reader closed it. This is a normal end.
    case brokenPipe
    /// zlib could not compress the data.
    case compression
    /// The writer was used after it was finished.
    case finished
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String
  /// The system's error number, for ``Code/cannotCreate`` and ``Code/io``.
  public let errno: Int32?

  private init(_ code: Code, _ message: String, errno: Int32? = nil) {
    (self.code, self.message, self.errno) = (code, message, errno)
  }

  public var description: String { message }

  package static func cannotCreate(path: String, errno code: Int32) -> Self {
    Self(.cannotCreate, "cannot create \(path): \(RecordingError.text(code)); \(remedy(code))", errno: code)
  }

  package static func io(path: String, errno code: Int32) -> Self {
    Self(.io, "cannot write \(path): \(RecordingError.text(code)); \(remedy(code))", errno: code)
  }

  package static func brokenPipe(path: String) -> Self { Self(.brokenPipe, "\(path) was closed by its reader") }

  package static func compression(path: String, code: Int32) -> Self {
    Self(.compression, "cannot compress \(path): zlib code \(code); free some memory, or give a name without .gz")
  }

  package static func finished(path: String) -> Self {
    Self(.finished, "\(path) is finished; open another writer for more samples")
  }

  private static func remedy(_ code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "create its folder first"
    case EACCES, EPERM, EROFS: "choose a location that you may write to"
    case EISDIR: "give the name of a file, not of a folder"
    case ENOSPC, EDQUOT: "free some space"
    default: "choose another location"
    }
  }
}
