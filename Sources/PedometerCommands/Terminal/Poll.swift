import Glibc

/// Waits in `poll(2)`, the one place where a live command's thread sleeps.
enum Poll {
  /// Waits until one of some descriptors has something to read, is closed, or the time is up.
  /// - Parameters:
  ///   - descriptors: those below zero are passed over.
  ///   - timeout: `nil` waits for good.
  /// - Returns: for each descriptor, whether a read would not wait.
  static func wait(for descriptors: [Int32], atMost timeout: Duration?) -> [Bool] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Rounded up: a wait that ends just before its time would be followed by one of nothing.
    let milliseconds = timeout.map { min(max(0, ($0 / .milliseconds(1)).rounded(.up)), 1e9) } ?? -1
    let count = unsafe poll(&requests, nfds_t(requests.count), Int32(milliseconds))
    return requests.map { count > 0 && $0.revents != 0 }
  }
}
