import Platform

/// A socket that sends datagrams from an address of this computer.
package final class DatagramSocket: Sendable {
  package struct Missing: Error { package init() {} }
  private let descriptor: Int32

  package init(from host: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let code = unsafe Self.withAddress(host, 0) { unsafe bind(descriptor, $0, $1) }
    guard descriptor >= 0, code == 0 else { throw Missing() }
  }

  deinit { close(descriptor) }

  package func send(_ bytes: [UInt8], to port: UInt16) throws {
    let count = unsafe Self.withAddress("127.0.0.1", port) { address, length in
      unsafe bytes.withUnsafeBytes { Int32(unsafe sendto(descriptor, $0.baseAddress, $0.count, 0, address, length)) }
    }
    guard count == Int32(bytes.count) else { throw Missing() }
  }

  private static func withAddress(
    _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    unsafe inet_pton(AF_INET, host, &address.sin_addr)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
