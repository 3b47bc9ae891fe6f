import Glibc

/// A terminal that a program has to itself for a while: no echo, keys at once, a second screen, and no flicker.
///
/// Each call of ``enter()`` needs a call of ``leave()`` on every way out.
final class Terminal {
  /// Where the picture goes.
  private let output: Int32
  /// Where keys come from.
  let input: Int32
  private let ownsInput: Bool
  private var before = termios()
  private var isEntered = false
  /// What is on the screen, line by line; `nil` when that is not known.
  private var shown: [String]?
  private var shownSize: Size?

  /// Columns and rows.
  struct Size: Hashable {
    var width: Int
    var height: Int
  }

  /// The terminal behind standard output, with keys from standard input or, where that is something else, from the
  /// controlling terminal. Nothing when there is no such terminal, or a dumb one.
  init?(environment: ProcessEnvironment = .current) {
    guard isatty(1) == 1, !["", "dumb"].contains(environment["TERM"] ?? "") else { return nil }
    output = 1
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

  /// How large it is now; 80×24 where it does not say.
  var size: Size {
    var size = winsize()
    guard unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(width: 80, height: 24)
    }
    return Size(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// Takes the terminal again after somebody else had it meanwhile, as a shell while this process was stopped.
  func resume() throws {
    guard isEntered else { return }
    isEntered = false
    try enter()
  }

  /// Takes the terminal.
  func enter() throws {
    if isEntered { return }
    var raw = before
    unsafe cfmakeraw(&raw)
    unsafe tcsetattr(input, TCSAFLUSH, &raw)
    isEntered = true
    shown = nil
    // The second screen; no cursor; no wrapping at the right edge.
    try write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  /// Gives it back as it was found.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    try? write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    unsafe tcsetattr(input, TCSAFLUSH, &before)
  }

  /// Forgets what is on the screen: the next picture is drawn whole.
  func invalidate() { shown = nil }

  /// Shows a picture: only the lines that changed, in one write.
  func show(_ lines: [String], size: Size) throws {
    var text = ""
    if shownSize != size || shown == nil {
      text = "\u{1B}[0m\u{1B}[2J"
      shown = nil
    }
    let former = shown ?? []
    for row in 0..<max(lines.count, former.count) where row < size.height {
      let line = row < lines.count ? lines[row] : ""
      if row < former.count ? former[row] == line : line.isEmpty { continue }
      text += "\u{1B}[\(row + 1);1H" + line
      // Behind the last column there is nothing to erase, and a terminal that waits there to wrap would erase it.
      if Self.columns(of: line) < size.width { text += "\u{1B}[K" }
    }
    (shown, shownSize) = (lines, size)
    if !text.isEmpty { try write(text) }
  }

  /// What was typed, when `poll(2)` says that something was; `nil` when the terminal is gone.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe Glibc.read(input, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    return count == 0 ? nil : Array(bytes[..<count])
  }

  /// How many columns a line takes: every character one, escape sequences none.
  static func columns(of line: String) -> Int {
    var count = 0
    var isEscape = false
    for character in line {
      if character == "\u{1B}" {
        isEscape = true
      } else if isEscape {
        isEscape = !character.isLetter
      } else {
        count += 1
      }
    }
    return count
  }

  private func write(_ text: String) throws { try StandardOutput.write(text) }
}
