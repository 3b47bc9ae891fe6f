import Glibc
import Synchronization

/// Keeps a terminal from showing typed characters in the middle of a picture that is redrawn in place. Keys that send
/// signals still do.
///
/// The terminal belongs to the whole process, and so does this; it is restored at `exit(3)`.
package enum EchoSuppression {
  private static let before = Mutex<termios?>(nil)

  /// Suppresses the echo, unless another process group owns the terminal: the kernel would stop a background process
  /// that changes it. Call it again after the process was stopped, since the shell has set the terminal meanwhile.
  package static func begin() {
    guard tcgetpgrp(1) == getpgrp() else { return }
    var settings = termios()
    guard unsafe tcgetattr(1, &settings) == 0, settings.c_lflag & tcflag_t(ECHO) != 0 else { return }
    let isFirst = before.withLock { before in
      defer { before = before ?? settings }
      return before == nil
    }
    if isFirst { atexit { EchoSuppression.end() } }
    settings.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(1, TCSANOW, &settings)
  }

  /// Restores the terminal.
  private static func end() {
    guard tcgetpgrp(1) == getpgrp() else { return }
    before.withLock { before in
      if var settings = before { unsafe tcsetattr(1, TCSANOW, &settings) }
    }
  }
}
