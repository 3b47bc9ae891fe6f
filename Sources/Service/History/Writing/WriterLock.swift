import Foundation
import Platform
import Synchronization

/// The lock of the writer of a folder's history: a locked file that names its holder.
///
/// The kernel releases it however the holder ends. After a clean shutdown the file says so. Its second line says how
/// many transactions the database has had, and when the last was: a database with fewer lost the latest ones, which
/// its own checksums cannot show.
final class WriterLock: Sendable {
  private let descriptor: Int32
  private static let order = "ended in order"

  /// The last transaction.
  struct Mark: Hashable, Sendable {
    /// Their number.
    var generation: Int64
    /// Microseconds since 1970.
    var time: Int64
  }

  /// The last transaction that was noted; `nil` without a lock file, for example in a copied folder.
  let former: Mark?
  private let content = Mutex((line: "", mark: Mark?.none))

  /// Whether the previous writer shut down cleanly. False if there was none, since the history may have been copied.
  let followsOrder: Bool

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
    let lines = Self.lines(descriptor)
    followsOrder = lines.first.map { $0 == Self.order } ?? false
    former = Self.mark(lines)
    content.withLock { $0.mark = former }
    write("\(getpid()) \(application)")
  }

  /// The last transaction of a folder's history that its writer noted; `nil` if it is unknown.
  static func mark(of folder: HistoryFolder) -> Mark? {
    let descriptor = unsafe open(folder.lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return mark(lines(descriptor))
  }

  private static func mark(_ lines: [Substring]) -> Mark? {
    let words = lines.dropFirst().first?.split(separator: " ") ?? []
    guard words.count == 4, words[0] == "transaction", words[2] == "at", let generation = Int64(words[1]),
      let time = Int64(words[3])
    else { return nil }
    return Mark(generation: generation, time: time)
  }

  deinit {
    // A program that is just being started may still have a copy of the descriptor, with which the lock would stay.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Notes that everything was written and the database is closed, and lets another writer take the lock.
  func noteOrder() {
    write(Self.order)
    flock(descriptor, LOCK_UN)
  }

  /// The name of the holder is optional, so a full disk does not prevent writing. But the previous note must be removed
  /// durably: a power loss is not a clean shutdown.
  private func write(_ line: String) {
    content.withLock { content in
      content.line = line
      let text = Self.text(content.line, content.mark)
      _ = ftruncate(descriptor, 0)
      _ = unsafe pwrite(descriptor, text, text.count, 0)
      fsync(descriptor)
    }
  }

  /// Notes a transaction. It is already on the disk; after a power loss an older note is harmless, so this does not
  /// wait for the disk.
  func note(_ mark: Mark) {
    content.withLock { content in
      content.mark = mark
      let text = Self.text(content.line, mark)
      _ = unsafe pwrite(descriptor, text, text.count, 0)
    }
  }

  private static func text(_ line: String, _ mark: Mark?) -> [UInt8] {
    // Of constant length, since it is overwritten.
    let note = mark.map { mark in
      "transaction \(mark.generation.padded(19)) at \(mark.time)\n"
    }
    return Array((line + "\n" + (note ?? "")).utf8)
  }

  private static func lines(_ descriptor: Int32) -> [Substring] {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
  }

  private static func holder(_ descriptor: Int32) -> (application: String, pid: Int32) {
    let words = (lines(descriptor).first ?? "").split(separator: " ", maxSplits: 1)
    return (words.count > 1 ? String(words[1]) : "another program", words.first.flatMap { Int32($0) } ?? 0)
  }
}

extension HistoryError {
  static func system(_ number: Int32, path: String) -> HistoryError {
    let reason = systemText(number)
    return switch number {
    case EACCES, EPERM, EROFS: .notPermitted(path: path, reason: reason)
    case ENOSPC, EDQUOT: .full(path: path)
    default: .cannotCreate(path: path, reason: reason)
    }
  }
}
