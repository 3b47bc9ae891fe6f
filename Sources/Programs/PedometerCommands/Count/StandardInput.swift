import Glibc

enum StandardInput {
  /// Whether it is a complete file, not a pipe or a terminal.
  static var isRegularFile: Bool {
    var status = stat()
    return unsafe fstat(0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether somebody would have to type it.
  static var isTerminal: Bool { isatty(0) == 1 }
}
