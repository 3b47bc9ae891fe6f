import Foundation
import Platform

/// A folder for a file that is being unpacked or received, removed with its content.
///
/// A program that is killed leaves its folder behind, but not the lock on it: the next one removes what nobody has locked.
package final class UnpackingFolder: Sendable {
  package let path: String
  private let lock: Int32

  private static let prefix = "pedometer-import-"

  package static var parent: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp" }

  package init(in parent: String = UnpackingFolder.parent) throws {
    Self.removeAbandoned(in: parent)
    while true {
      var template = Array("\(parent)/\(Self.prefix)XXXXXX\0".utf8CString)
      guard let made = unsafe mkdtemp(&template) else {
        throw ImportFailure(
          .unreadable,
          "archives cannot be unpacked in \(parent): \(systemText(errno)); set TMPDIR to another folder")
      }
      let path = unsafe String(cString: made)
      // Before it is locked, another program may take it for abandoned.
      guard let lock = Self.lock(path) else { continue }
      (self.path, self.lock) = (path, lock)
      return
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }

  /// Removes the folders of this user's programs that were killed.
  package static func removeAbandoned(in parent: String = UnpackingFolder.parent) {
    for name in Platform.names(inFolder: parent) ?? [] where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      guard let lock = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(lock)
    }
  }

  /// Locks a folder of this user; `nil` if another program has, or it is none.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (status, named) = (stat(), stat())
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &status) == 0,
      unsafe lstat(path, &named) == 0, status.st_ino == named.st_ino, status.st_uid == geteuid()
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  /// The place for one file at a time, with the end of its name.
  func path(for name: String) -> String {
    "\(path)/1-\(name.split(separator: "/").last.map { String($0.suffix(60)) } ?? "data")"
  }
}
