import Foundation
import Glibc

/// Small files that are there whole or not at all.
enum SmallFile {
  /// Replaces a file's text; it is safe when this returns.
  static func write(_ text: String, to path: String) throws(SmallFileError) {
    let draft = path + ".new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw SmallFileError(path: draft, errno: errno) }
    var bytes = Array(text.utf8)
    let count = unsafe Glibc.write(descriptor, &bytes, bytes.count)
    let isWritten = count == bytes.count && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten, unsafe rename(draft, path) == 0 else {
      throw SmallFileError(path: path, errno: isWritten ? errno : reason)
    }
  }

  /// A file's text; `nil` when it is not there or cannot be read.
  static func text(of path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}

/// Why a small file could not be written.
struct SmallFileError: Error, Hashable, CustomStringConvertible {
  var path: String
  var errno: Int32

  var description: String {
    "\(path) cannot be written (\(unsafe String(cString: strerror(errno)))); give the service a state folder of its own"
  }
}
