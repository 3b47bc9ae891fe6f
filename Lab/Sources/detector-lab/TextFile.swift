@testable import Platform

/// The reason why a file of the lab cannot be read or used.
enum TextFileError: LabError, Hashable {
  case cannotRead(path: String, errno: Int32)
  case isDirectory(path: String)
  case cannotWrite(path: String, errno: Int32)
  /// A line that should be a number is not; lines count from 1.
  case notANumber(path: String, line: Int, text: String)

  var exitCode: Int32 {
    switch self {
    case .cannotRead(_, let code): code == EACCES ? 77 : code == ENOENT || code == ENOTDIR ? 66 : 74
    case .isDirectory: 66
    case .cannotWrite(_, let code): code == EACCES ? 77 : code == ENOSPC || code == EIO ? 74 : 73
    case .notANumber: 65
    }
  }

  var description: String {
    switch self {
    case .cannotRead(let path, let code): "cannot read \(path): \(Output.text(of: code)); give an existing file"
    case .isDirectory(let path): "\(path) is a folder; give a file"
    case .cannotWrite(let path, let code):
      "cannot write \(path): \(Output.text(of: code)); give an existing, writable folder"
    case .notANumber(let path, let line, let text):
      "\(path), line \(line): '\(text.prefix(40))' is not a time in seconds; write one finite number per line"
    }
  }
}

/// Reads and writes small files.
enum TextFile {
  /// The bytes as text; invalid UTF-8 is replaced.
  static func read(_ path: String) throws(TextFileError) -> String {
    if let bytes = readFile(path) { return String(decoding: bytes, as: UTF8.self) }
    throw errno == EISDIR ? .isDirectory(path: path) : .cannotRead(path: path, errno: errno)
  }

  /// Replaces or creates a file.
  static func write(_ text: String, to path: String) throws(TextFileError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    let number = writeWhole(Array(text.utf8), to: descriptor)
    let isClosed = close(descriptor) == 0
    if number != 0 || !isClosed { throw .cannotWrite(path: path, errno: number != 0 ? number : errno) }
  }

  /// Parses one number per line, skips empty lines, and sorts.
  static func numbers(in path: String) throws(TextFileError) -> [Double] {
    var numbers: [Double] = []
    let lines = try read(path).split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let text = line.trimmed
      if text.isEmpty { continue }
      guard let number = Double(text), number.isFinite else {
        throw .notANumber(path: path, line: index + 1, text: text)
      }
      numbers.append(number)
    }
    return numbers.sorted()
  }
}

extension StringProtocol {
  /// The text without leading and trailing blanks.
  var trimmed: String {
    let rest = self.drop { $0.isWhitespace }
    return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) } ?? rest.startIndex)])
  }
}
