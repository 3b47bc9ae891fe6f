import Glibc
import Recordings

/// Standard output and standard error, written completely and without buffering.
package enum StandardOutput {
  /// The reader of the output has closed it: there is nothing left to do, and nothing to report.
  package struct Closed: Error {}

  /// `write(2)` failed for another reason.
  package struct Failed: Error, CustomStringConvertible {
    package let errno: Int32
    package var description: String {
      let remedy = [ENOSPC, EDQUOT, EFBIG].contains(errno) ? "free some space" : "redirect it to a file or a pipe"
      return "cannot write to standard output: \(RecordingError.text(errno)); \(remedy)"
    }
  }

  /// Writes all of it to standard output.
  package static func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while unsafe !rest.isEmpty {
        let written = unsafe Glibc.write(1, rest.baseAddress, rest.count)
        if written >= 0 {
          unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        } else if errno == EPIPE {
          throw Closed()
        } else if errno == EAGAIN {
          // Another program that shares it may have set it to non-blocking.
          var request = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&request, 1, -1)
        } else if errno != EINTR {
          throw Failed(errno: errno)
        }
      }
    }
  }

  /// Writes lines for people to standard output. They contain names of devices and files, so control characters for
  /// terminals are made visible.
  static func write(lines: String) throws { try write(ScreenText.printableLines(lines)) }

  /// The maximum length of a line on standard error, in characters.
  private static let longestComplaint = 1000

  /// Writes a line to standard error, as far as possible. It contains names and words of files, so control characters
  /// for terminals are made visible, and the middle of an overlong line is omitted.
  package static func complain(_ line: String) {
    let bytes = Array((ScreenText.printable(line, longest: longestComplaint) + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  /// Shows a line that the next one replaces; only for a terminal.
  static func showProgress(_ line: String) {
    let bytes = Array("\r\u{1B}[K\(line)".utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  /// Erases the line.
  static func clearProgress() { showProgress("") }

  /// Whether standard error is a terminal.
  static var errorIsTerminal: Bool { isatty(2) == 1 }

  /// From now on a closed pipe is a distinct error, not a signal.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
