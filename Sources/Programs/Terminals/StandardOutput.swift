import LiveSources
import Platform
import Recordings
import Synchronization

/// Standard output and standard error, written completely and without buffering.
package enum StandardOutput {
  /// The reader of the output has closed it: there is nothing left to do, and nothing to report.
  package struct Closed: Error {}

  package static func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in try unsafe write(UnsafeRawBufferPointer(bytes)) }
  }

  package static func write(_ bytes: [UInt8]) throws {
    try unsafe bytes.withUnsafeBytes { bytes in try unsafe write(bytes) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) throws {
    let number = unsafe writeWhole(bytes, to: 1)
    if number == EPIPE { throw Closed() }
    if number != 0 { throw OutputFailure(errno: number) }
  }

  /// Writes lines for people to standard output. They contain names of devices and files, so control characters for
  /// terminals are made visible.
  package static func write(lines: String) throws { try write(ScreenText.printableLines(lines)) }

  /// Writes what a program was started for, such as its help, and a line break. The reader may close a pipe.
  package static func write(page: String) throws {
    if page.isEmpty { return }
    ignoreBrokenPipes()
    try write(page + "\n")
  }

  /// The maximum length of a line on standard error, in characters.
  private static let longestComplaint = 1000

  /// Writes a line to standard error, ignoring errors. The line may contain names and text from files, so terminal
  /// control characters are made visible, and the middle of an overlong line is omitted.
  package static func complain(_ line: String) {
    let bytes = Array((complaint(line).joined(separator: "\n") + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  /// The same as lines that end between words in a terminal.
  package static func complaint(_ line: String) -> [String] {
    let line = ScreenText.printable(CommandTerms.translate(line), longest: longestComplaint)
    return errorIsTerminal && line.count > width ? ScreenText.wrapped(line, width: width) : [line]
  }

  private static let quiet = Atomic(false)

  /// From now on progress and remarks are omitted; errors and warnings are not.
  package static func becomeQuiet() { quiet.store(true, ordering: .relaxed) }

  /// Writes a line to standard error that is neither an error nor a warning.
  package static func remark(_ line: String) { if !quiet.load(ordering: .relaxed) { complain(line) } }

  /// Shows a line that the next one replaces; only for a terminal.
  package static func showProgress(_ line: String) {
    if quiet.load(ordering: .relaxed) { return }
    let bytes = Array("\r\u{1B}[K\(line)".utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  package static func clearProgress() { showProgress("") }

  package static var isTerminal: Bool { isatty(1) == 1 }

  /// The columns of the terminal on standard output; 80 if unknown.
  package static var width: Int { size.width }

  /// The columns and rows of the terminal on standard output; 80×24 if unknown.
  package static var size: Terminal.Size {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return Terminal.Size(width: 80, height: 24)
    }
    return Terminal.Size(width: Int(size.ws_col), height: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  package static var errorIsTerminal: Bool { isatty(2) == 1 }

  /// From now on a closed pipe is a distinct error, not a signal, and so is a file that reaches its maximum size.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}

/// Writes a sentence of this program to standard error, as ``StandardOutput/complain(_:)`` does.
package func complain(_ sentence: String) { StandardOutput.complain("pedometer: " + sentence) }

/// Writes a sentence that is neither an error nor a warning, as ``StandardOutput/remark(_:)`` does.
package func remark(_ sentence: String) { StandardOutput.remark("pedometer: " + sentence) }
