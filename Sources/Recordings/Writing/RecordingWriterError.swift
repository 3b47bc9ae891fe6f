import Platform

/// Why a recording could not be written.
public enum RecordingWriterError: Error, Hashable, Sendable {
  /// The file could not be made (exit code 73).
  case cannotCreate(path: String, errno: Int32)
  /// Bytes could not be written or made to stay (exit code 74).
  case io(path: String, errno: Int32)
  /// Whoever read the pipe is gone: no failure, the end.
  case brokenPipe(path: String)
  /// zlib could not compress; its code (exit code 74).
  case compression(path: String, code: Int32)
  /// More was written after the end.
  case finished(path: String)
}

extension RecordingWriterError: CustomStringConvertible {
  /// One sentence that says what to do next.
  public var description: String {
    switch self {
    case .cannotCreate(let path, let code): "cannot create \(path): \(RecordingError.text(code)); \(Self.remedy(code))"
    case .io(let path, let code):
      "cannot write \(path): \(RecordingError.text(code)); \(Self.remedy(code))"
    case .brokenPipe(let path): "\(path) was closed by its reader"
    case .compression(let path, let code):
      "cannot compress \(path): zlib code \(code); free some memory, or give a name without .gz"
    case .finished(let path): "\(path) is finished; open another writer for more samples"
    }
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
