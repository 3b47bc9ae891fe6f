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
