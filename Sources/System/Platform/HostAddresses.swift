/// Calls `attempt` with the addresses of a host, one after the other, until it succeeds with one: getaddrinfo(3). It may block
/// while the name is looked up.
/// - Parameter attempt: connects to an address; returns 0 or an error number.
/// - Returns: 0, the error number of the last attempt, or `nil` if there is no such host.
package func connectToAny<Failure: Error>(
  host: String, port: String, _ attempt: (addrinfo) throws(Failure) -> Int32
) throws(Failure) -> Int32? {
  var hints = unsafe addrinfo()
  #if canImport(Glibc)
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  #else
    unsafe hints.ai_socktype = Int32(SOCK_STREAM)
  #endif
  var list: UnsafeMutablePointer<addrinfo>?
  guard unsafe getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
  defer { unsafe freeaddrinfo(list) }
  var code = ECONNREFUSED
  var next = unsafe list
  while let address = unsafe next {
    code = try unsafe attempt(address.pointee)
    if code == 0 { break }
    unsafe next = address.pointee.ai_next
  }
  return code
}
