import Glibc
import Recordings

/// Standard output and standard error, written whole and without a buffer of their own.
package enum StandardOutput {
  /// The reader of our output has gone: there is nothing left to do, and nothing to report.
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
          // Left non-blocking by a program that shares it.
          var request = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&request, 1, -1)
        } else if errno != EINTR {
          throw Failed(errno: errno)
        }
      }
    }
  }

  /// Writes lines for people to standard output. Names of devices and files are in them, so whatever a terminal would act
  /// on instead of showing it is made visible.
  static func write(lines: String) throws { try write(ScreenText.printableLines(lines)) }

  /// Of a line on standard error, in characters.
  private static let longestComplaint = 1000

  /// Writes a line to standard error, as far as it goes. Names and words of files are in it, so whatever a terminal would
  /// act on instead of showing it is made visible, and the middle of what is far too long is left out.
  package static func complain(_ line: String) {
    let bytes = Array((ScreenText.printable(line, longest: longestComplaint) + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  /// Shows a line that the next one replaces; only for a terminal.
  package static func showProgress(_ line: String) {
    let bytes = Array("\r\u{1B}[K\(line)".utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  /// Takes the line away again.
  package static func clearProgress() { showProgress("") }

  /// Whether somebody looks at standard error while it is written.
  package static var errorIsTerminal: Bool { isatty(2) == 1 }

  /// From now on a closed pipe is an error that can be told apart, not a signal.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
