import Platform

/// The pace of a replay.
public enum ReplayPace: Sendable {
  /// As fast as possible.
  case unpaced
  case realTime
  /// A recording that arrives while it is made, as on standard input. Samples are read only on request, so back-pressure reaches the
  /// pipe; a read may wait indefinitely, so it runs on its own thread.
  case asItArrives

  /// The pace at which a path is followed: as it arrives from a pipe, a terminal or another device, whose reads may block; otherwise, and
  /// for missing files and folders, which cause an error when opened, in real time.
  public init(following path: String) {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    self = isThere && kind != S_IFREG && kind != S_IFDIR ? .asItArrives : .realTime
  }
}
