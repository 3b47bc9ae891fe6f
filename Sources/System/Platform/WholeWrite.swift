/// Writes all bytes to a descriptor, with as many calls of write(2) as necessary.
/// - Returns: 0, or the number of errno(3).
package func writeWhole(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = unsafe bytes
  while unsafe !rest.isEmpty {
    let written = unsafe write(descriptor, rest.baseAddress, rest.count)
    if written == 0 { return ENOSPC }
    if written > 0 {
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    } else if errno == EAGAIN {
      // Another program that shares it may have set it to non-blocking.
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&request, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Writes all bytes to a descriptor.
/// - Returns: 0, or the number of errno(3).
package func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  unsafe bytes.withUnsafeBytes { unsafe writeWhole($0, to: descriptor) }
}

/// Standard output could not be written.
package struct OutputFailure: Error, CustomStringConvertible {
  package let errno: Int32

  package init(errno: Int32) { self.errno = errno }

  package var description: String {
    let remedy = isOutOfSpace(errno) ? "free some space" : "redirect it to a file or a pipe"
    return "cannot write to standard output: \(systemText(errno).lowercased()); \(remedy)"
  }
}

/// Whether a write failed because the disk, a quota or the largest size of a file is exhausted.
package func isOutOfSpace(_ number: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }
