import Foundation
import Platform

/// The lock of the writer of a folder's history: a locked file that names its holder.
///
/// The kernel releases it however the holder ends. After a clean shutdown the file says so.
final class WriterLock: Sendable {
  private let descriptor: Int32
  private static let order = "ended in order"

  /// Whether the previous writer shut down cleanly. False if there was none, since the history may have been copied.
  let followsOrder: Bool

  /// Takes the lock.
  init(_ folder: HistoryFolder, application: String) throws(HistoryError) {
    descriptor = unsafe open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(errno, path: folder.lock) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      let holder = Self.holder(descriptor)
      close(descriptor)
      if number == EWOULDBLOCK { throw .held(by: holder.application, pid: holder.pid) }
      throw .system(number, path: folder.lock)
    }
    followsOrder = Self.line(descriptor) == Self.order
    write("\(getpid()) \(application)")
  }

  deinit { close(descriptor) }

  /// Notes that everything was written and the database is closed.
  func noteOrder() { write(Self.order) }

  /// The name of the holder is optional, so a full disk does not prevent writing. But the previous note must be removed
  /// durably: a power loss is not a clean shutdown.
  private func write(_ line: String) {
    let text = Array("\(line)\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = unsafe pwrite(descriptor, text, text.count, 0)
    fsync(descriptor)
  }

  private static func line(_ descriptor: Int32) -> Substring {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n").first ?? ""
  }

  private static func holder(_ descriptor: Int32) -> (application: String, pid: Int32) {
    let words = line(descriptor).split(separator: " ", maxSplits: 1)
    return (words.count > 1 ? String(words[1]) : "another program", words.first.flatMap { Int32($0) } ?? 0)
  }
}

extension HistoryError {
  /// Converts a system error.
  static func system(_ number: Int32, path: String) -> HistoryError {
    let reason = systemText(number)
    return switch number {
    case EACCES, EPERM, EROFS: .notPermitted(path: path, reason: reason)
    case ENOSPC, EDQUOT: .full(path: path)
    default: .cannotCreate(path: path, reason: reason)
    }
  }
}
