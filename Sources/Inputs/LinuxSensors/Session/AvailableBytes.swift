import Platform

/// Reads what a descriptor has, without waiting.
/// - Returns: the number of bytes, and why there will be no more: the errno of the failure, 0 at the end of the file; `nil`: more may
///   come.
func readAvailable(_ descriptor: Int32, into target: UnsafeMutableRawBufferPointer) -> (count: Int, end: Int32?) {
  var count = 0
  while count < target.count {
    let some = unsafe read(descriptor, target.baseAddress! + count, target.count - count)
    if some > 0 {
      count += some
    } else if some == 0 {
      return (count, 0)
    } else if errno == EAGAIN {
      break
    } else if errno != EINTR {
      return (count, errno)
    }
  }
  return (count, nil)
}
