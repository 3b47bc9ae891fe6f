@testable import Platform

/// Writes lines to standard output and standard error.
enum Output {
  /// Standard output was closed by its reader, or cannot be written.
  enum Failure: LabError, Hashable {
    case closed
    case io(errno: Int32)

    var exitCode: Int32 { self == .closed ? 0 : 74 }
    var description: String {
      switch self {
      case .closed: "standard output was closed by its reader"
      case .io(let code): "cannot write standard output: \(text(of: code)); free some space or choose another location"
      }
    }
  }

  /// Writes text as it is.
  static func write(_ text: String) throws(Failure) {
    let number = writeWhole(Array(text.utf8), to: 1)
    if number != 0 { throw number == EPIPE ? .closed : .io(errno: number) }
  }

  /// One line on standard error; a failure cannot be reported.
  static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Platform.write(2, bytes, bytes.count)
  }

  /// The text of an `errno`.
  static func text(of code: Int32) -> String { systemText(code) }
}

extension String {
  /// Padded with blanks on the left.
  func right(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
  /// Padded with blanks on the right.
  func left(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
