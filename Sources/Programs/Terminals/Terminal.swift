import Glibc

/// A terminal in exclusive use: no echo, unbuffered keys, the alternate screen, and no flicker.
///
/// Each call of ``enter()`` needs a call of ``leave()`` on every exit.
package final class Terminal {
  /// The descriptor of keys.
  package let input: Int32
  private let ownsInput: Bool
  private var before = termios()
  private var isEntered = false
  /// The picture on the screen; `nil` if unknown.
  private var shown: CellGrid?
  private let encoder: ScreenEncoder

  /// Columns and rows.
  package struct Size: Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }

  /// The terminal of standard output, with keys from standard input or, if that is not a terminal, from the controlling
  /// terminal. `nil` without such a terminal, or for a dumb one.
  package init?(environment: ProcessEnvironment = .current) {
    guard isatty(1) == 1, !["", "dumb"].contains(environment["TERM"] ?? "") else { return nil }
    encoder = ScreenEncoder(depth: environment.colourDepth)
    if isatty(0) == 1 {
      (input, ownsInput) = (0, false)
    } else {
      (input, ownsInput) = (unsafe open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY), true)
    }
    guard input >= 0, unsafe tcgetattr(input, &before) == 0 else {
      if ownsInput, input >= 0 { close(input) }
      return nil
    }
  }

  deinit {
    leave()
    if ownsInput { close(input) }
  }

  /// Its current size; 80×24 if unknown.
  package var size: Size { StandardOutput.size }

  /// Enters the terminal again after another program has used it, such as a shell while this process was stopped.
  package func resume() throws {
    guard isEntered else { return }
    isEntered = false
    try enter()
  }

  package func enter() throws {
    if isEntered { return }
    var raw = before
    unsafe cfmakeraw(&raw)
    unsafe tcsetattr(input, TCSAFLUSH, &raw)
    isEntered = true
    shown = nil
    // The alternate screen; no cursor; no wrapping at the right edge.
    try write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  package func leave() {
    guard isEntered else { return }
    isEntered = false
    try? write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    unsafe tcsetattr(input, TCSAFLUSH, &before)
  }

  /// Forgets the contents of the screen, so that the next picture is drawn completely.
  package func invalidate() { shown = nil }

  /// Shows a picture: only the cells that changed, as one frame.
  package func show(_ grid: CellGrid) throws {
    let bytes = encoder.bytes(from: shown, to: grid)
    shown = grid
    if !bytes.isEmpty { try StandardOutput.write(ScreenEncoder.frame(of: bytes)) }
  }

  /// The typed bytes, after `poll(2)` has reported some; `nil` if the terminal is gone.
  package func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe Glibc.read(input, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    return count == 0 ? nil : Array(bytes[..<count])
  }

  private func write(_ text: String) throws { try StandardOutput.write(text) }
}
