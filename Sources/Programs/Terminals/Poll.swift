import Glibc

/// Waits in `poll(2)`; a live command's thread sleeps only here.
package enum Poll {
  /// Waits until a descriptor is readable or closed, or the timeout expires.
  /// - Parameters:
  ///   - descriptors: negative ones are ignored.
  ///   - timeout: `nil` waits indefinitely.
  /// - Returns: for each descriptor, whether a read would not block.
  package static func wait(for descriptors: [Int32], atMost timeout: Duration?) -> [Bool] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Rounded up: a wait that ends slightly early would be followed by one of zero.
    let milliseconds = timeout.map { min(max(0, ($0 / .milliseconds(1)).rounded(.up)), 1e9) } ?? -1
    let count = unsafe poll(&requests, nfds_t(requests.count), Int32(milliseconds))
    return requests.map { count > 0 && $0.revents != 0 }
  }
}
