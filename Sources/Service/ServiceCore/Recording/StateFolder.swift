import Foundation
import LiveSources
import Platform

/// The state folder as the commands `pedometerd walkers` and `pedometerd challenges` use it.
package enum StateFolder {
  /// Creates a private folder, if missing.
  package static func make(_ path: String) throws(StateFileError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw StateFileError(path: path, errno: errno == 0 ? EACCES : errno) }
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      giveToOwner(descriptor, of: path)
      close(descriptor)
    }
  }

  /// Runs changes of one process at a time.
  package static func locked<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
    let path = folder + "/walkers.lock"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StateFileError(path: path, errno: errno) }
    defer { close(descriptor) }
    giveToOwner(descriptor, of: path)
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { throw StateFileError(path: path, errno: errno) }
    }
    return try body()
  }

  /// What root creates in the folder of the service belongs to the service.
  static func giveToOwner(_ descriptor: Int32, of path: String) {
    guard geteuid() == 0 else { return }
    var status = stat()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if unsafe stat(folder.isEmpty ? "/" : folder, &status) == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
  }
}

/// Why a file of the state folder cannot be read or written.
package struct StateFileError: Error, Sendable, Hashable, CustomStringConvertible {
  package var path: String
  package var errno: Int32

  package init(path: String, errno: Int32) { (self.path, self.errno) = (path, errno) }

  package var description: String {
    if errno == EBADMSG { return "\(path) is damaged; restore it from a backup, or remove it" }
    let remedy =
      switch errno {
      case EACCES, EPERM: "give the file and its folder to the service's user, and run this as that user or as root"
      case EINVAL: "it should be a small file; move it away"
      case ENOSPC, EDQUOT, EFBIG: "free some space"
      case EROFS: "choose another folder with --state"
      case ENOENT, ENOTDIR: "create its folder"
      default: "check the disk, or choose another folder with --state"
      }
    return "\(path) cannot be used (\(systemText(errno))); \(remedy)"
  }

  package var exitStatus: ExitStatus {
    switch errno {
    case EACCES, EPERM: .permission
    case EBADMSG: .badData
    default: .io
    }
  }
}
