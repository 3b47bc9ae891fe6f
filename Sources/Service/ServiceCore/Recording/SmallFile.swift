import Foundation
import Platform

/// Small files that are written atomically.
package enum SmallFile {
  /// Replaces a file's text; it is durable when this returns.
  package static func write(_ text: String, to path: String) throws(SmallFileError) {
    do throws(FileReplacement.Failure) {
      try FileReplacement.replace(path, with: Array(text.utf8), permissions: 0o640)
    } catch { throw SmallFileError(path: path, errno: error.errno) }
  }

  /// A file's text; `nil` if it is missing or unreadable.
  package static func text(of path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}

/// Why a small file could not be written.
package struct SmallFileError: Error, Hashable, CustomStringConvertible {
  var path: String
  var errno: Int32

  package var description: String {
    "\(path) cannot be written (\(systemText(errno))); "
      + (isOutOfSpace(errno) ? "free some space, and try again" : "give the service its own state folder")
  }
}
