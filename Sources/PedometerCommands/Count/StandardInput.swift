import Glibc

/// What the program reads from when no source is named.
enum StandardInput {
  /// Whether it is a file that is there as a whole, not a pipe or a terminal that somebody still writes to.
  static var isRegularFile: Bool {
    var status = stat()
    return unsafe fstat(0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
