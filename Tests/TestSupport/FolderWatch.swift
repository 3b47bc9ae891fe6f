import Foundation
import Glibc

/// Reports when bytes are written to a file of a folder: inotify(7), so that tests do not poll.
public final class FolderWatch: Sendable {
  private let descriptor: Int32

  /// Watches a folder from now on.
  public init(_ path: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0, unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
      throw TemporaryDirectory.Failure(errno: errno)
    }
  }

  deinit { close(descriptor) }

  /// Returns when bytes have been written since the watch started, or since the last call.
  /// - Throws: ETIMEDOUT after ``Hang/limit`` without a write.
  public func waitForBytes() throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var result = unsafe poll(&request, 1, Hang.milliseconds)
    while result < 0, errno == EINTR { result = unsafe poll(&request, 1, Hang.milliseconds) }
    guard result > 0 else { throw TemporaryDirectory.Failure(errno: result == 0 ? ETIMEDOUT : errno) }
    var events = [UInt8](repeating: 0, count: 4096)
    _ = unsafe read(descriptor, &events, events.count)
  }

  /// ``waitForBytes()`` on a separate thread, so that no thread that tasks share is blocked. It waits until the task is
  /// cancelled, as it is at the suite's time limit.
  public func bytes() async throws {
    while true {
      do {
        return try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread { continuation.resume(with: Result { try self.waitForBytes() }) }
        }
      } catch let failure as TemporaryDirectory.Failure where failure.errno == ETIMEDOUT && !Task.isCancelled {
        continue
      }
    }
  }
}
