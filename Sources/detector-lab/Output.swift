import Glibc

/// Lines on the two standard outputs.
enum Output {
  /// Nobody reads standard output any longer, or it cannot be written to.
  enum Failure: LabError, Hashable {
    case closed
    case io(errno: Int32)

    var exitCode: Int32 { self == .closed ? 0 : 74 }
    var description: String {
      switch self {
      case .closed: "whoever read standard output has closed it"
      case .io(let code): "cannot write standard output: \(text(of: code)); free some space or choose another place"
      }
    }
  }

  /// Writes text as it is.
  static func write(_ text: String) throws(Failure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw errno == EPIPE ? .closed : .io(errno: errno)
      }
    }
  }

  /// One line on standard error; there is nowhere left to report a failure to.
  static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
  }

  /// What an `errno` means.
  static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

extension Double {
  /// With so many decimals, always all of them; "nan" and "inf" as they are.
  func fixed(_ decimals: Int) -> String {
    guard isFinite, magnitude < 1e12 else { return "\(self)" }
    let power = (0..<decimals).reduce(1.0) { value, _ in value * 10 }
    let scaled = Int64((magnitude * power).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let digits = "\(scaled)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// Without the zeros that end a decimal fraction.
  func short(_ decimals: Int) -> String {
    let text = fixed(decimals)
    guard isFinite, text.contains(".") else { return text }
    let trimmed = text[...(text.lastIndex { $0 != "0" } ?? text.startIndex)]
    return String(trimmed.last == "." ? trimmed.dropLast() : trimmed)
  }
}

extension String {
  /// Blanks on the left up to a width.
  func right(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
  /// Blanks on the right up to a width.
  func left(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
