import Foundation
import Glibc
import LiveSources
import Platform

/// A private JSON file of the state folder, which the service and the command `pedometerd` both change.
struct StateFile<Content: Codable & Sendable>: Sendable {
  let path: String

  /// Larger files are not ours.
  private static var largest: Int { 16 << 20 }

  /// The content; `nil` if there is no file.
  func read() throws(StateFileError) -> Content? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StateFileError(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.largest
    else { throw StateFileError(path: path, errno: EINVAL) }
    let bytes = FileHandle(fileDescriptor: descriptor).readDataToEndOfFile()
    do { return try JSONDecoder().decode(Content.self, from: bytes) } catch {
      throw StateFileError(path: path, errno: EBADMSG)
    }
  }

  /// Replaces the content; it is durable when this returns.
  func write(_ content: Content) throws(StateFileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard var bytes = try? encoder.encode(content) else { throw StateFileError(path: path, errno: EINVAL) }
    bytes.append(0x0A)
    let draft: FileReplacement.Draft
    do throws(FileReplacement.Failure) {
      draft = try FileReplacement.makeDraft(beside: path, permissions: 0o600)
    } catch { throw StateFileError(path: path, errno: error.errno) }
    defer { close(draft.descriptor) }
    do throws(FileReplacement.Failure) {
      StateFolder.giveToOwner(draft.descriptor, of: path)
      let number = unsafe bytes.withUnsafeBytes { unsafe writeWhole($0, to: draft.descriptor) }
      if number != 0 { throw FileReplacement.Failure(errno: number, .write) }
      try FileReplacement.commit(draft, to: path)
    } catch {
      FileReplacement.discard(draft)
      throw StateFileError(path: path, errno: error.errno)
    }
  }

  /// Changes with every replacement of the file.
  var stamp: StateStamp? { StateStamp(path: path) }
}

/// What distinguishes a file from the one that had its name before.
struct StateStamp: Sendable, Hashable {
  private let device: UInt
  private let number: UInt
  private let seconds: Int
  private let nanoseconds: Int
  private let size: Int

  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, number, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

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
  static func locked<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
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
  var path: String
  var errno: Int32

  package var description: String {
    if errno == EBADMSG { return "\(path) is damaged; restore it from a backup, or remove it" }
    let remedy =
      switch errno {
      case EACCES, EPERM: "run this as the service's user, or as root"
      case ENOSPC, EDQUOT: "free some space"
      case EROFS: "choose another folder with --state"
      case ENOENT, ENOTDIR: "create its folder"
      default: "check the disk, or choose another folder with --state"
      }
    return "\(path) cannot be used (\(systemText(errno))); \(remedy)"
  }

  /// The exit code of a command.
  package var exitStatus: ExitStatus {
    switch errno {
    case EACCES, EPERM: .permission
    case EBADMSG: .badData
    default: .io
    }
  }
}
