/// Appends the bytes of a descriptor up to its end, or until there are as many as `most`.
/// - Returns: 0, or the number of errno(3).
package func readWhole(_ descriptor: Int32, into bytes: inout [UInt8], upTo most: Int = .max) -> Int32 {
  var part = [UInt8](repeating: 0, count: 65_536)
  while bytes.count < most {
    let count = unsafe read(descriptor, &part, min(part.count, most - bytes.count))
    if count == 0 { return 0 }
    if count > 0 { bytes += part[..<count] } else if errno != EINTR { return errno }
  }
  return 0
}

/// The bytes of a file, at most the first `most`; `nil` if it cannot be read, with the reason in `errno`.
/// - Parameter flags: more ones of open(2), such as `O_NONBLOCK`, with which a pipe does not wait for a writer.
package func readFile(_ path: String, upTo most: Int = .max, flags: Int32 = 0) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
  guard descriptor >= 0 else { return nil }
  var bytes: [UInt8] = []
  let number = readWhole(descriptor, into: &bytes, upTo: most)
  close(descriptor)
  errno = number
  return number == 0 ? bytes : nil
}
