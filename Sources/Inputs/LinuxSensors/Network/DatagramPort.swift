import Platform
import SourceNames

/// A UDP port, open for receiving; closed when it is released.
///
/// Only datagrams of the first sender are received, because the mixed samples of two phones are no walk. UDP does not
/// authenticate senders. Each datagram is a line of text, with or without a line break.
package final class DatagramPort {
  /// The port; useful where 0 was asked for, which is any free one.
  package let port: UInt16
  /// The sender whose datagrams are received; `nil` before the first.
  package private(set) var sender: String?
  private var otherSender: String?
  private let number: Int32
  private let path: String
  private var scratch = [UInt8](repeating: 0, count: 65_536)
  private var senderBytes: [UInt8] = []
  /// The latest datagram, and how much of it was read.
  private var datagram: [UInt8] = []
  private var taken = 0
  private var hasRemarked = false

  /// Opens a port.
  /// - Throws: `.busy` where another program receives on it, `.permissionDenied` for a port below 1024, `.unusable` where the host
  ///   is no address of this computer.
  package init(_ address: UDPAddress) throws(SensorError) {
    path = "udp:\(address)"
    var code: Int32?
    var opened: Int32 = -1
    for (host, family) in address.host.map({ [($0, AF_UNSPEC)] }) ?? [("::", AF_INET6), ("0.0.0.0", AF_INET)] {
      (opened, code) = Self.open(host, address.port, family)
      // A machine without IPv6 has no such address.
      if opened >= 0 || code == EADDRINUSE || code == EACCES { break }
    }
    guard opened >= 0 else {
      switch code {
      case EADDRINUSE?:
        throw .busy(path: path, holders: [], remedy: "stop the program that receives on it, or choose another port")
      case EACCES?, EPERM?: throw .permissionDenied(path: path, errno: EACCES, remedy: "choose a port above 1023")
      case let code?:
        throw .unusable(
          path: path, reason: systemText(code),
          remedy: "give an address of this computer, or the port alone for all of its addresses")
      case nil:
        throw .unusable(
          path: path, reason: "no such host", remedy: "give an address of this computer, or the port alone")
      }
    }
    number = opened
    port = Self.port(of: opened)
  }

  deinit { close(number) }

  package func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    taken < datagram.count ? .readable : stop.wait(for: number, atMost: timeout)
  }

  /// Reads what has arrived from the sender that is listened to, without waiting.
  /// - Returns: the number of bytes; 0 if there are none.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    var filled = 0
    while filled < target.count {
      if taken == datagram.count, try !receive() { break }
      let count = min(target.count - filled, datagram.count - taken)
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyBytes(from: datagram[taken..<taken + count])
      (filled, taken) = (filled + count, taken + count)
    }
    return filled
  }

  /// That another sender is ignored; told once.
  package func takeRemark() -> String? {
    guard !hasRemarked, let otherSender, let sender else { return nil }
    hasRemarked = true
    return "samples from \(otherSender) are ignored, because \(sender) was first; give each phone its own port"
  }

  /// Takes the next datagram.
  /// - Returns: whether there was one.
  private func receive() throws(SensorError) -> Bool {
    while true {
      var source = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = unsafe withUnsafeMutablePointer(to: &source) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          unsafe recvfrom(number, &scratch, scratch.count, Int32(MSG_DONTWAIT), pointer, &length)
        }
      }
      if count < 0 {
        switch errno {
        case EAGAIN: return false
        case EINTR: continue
        default: throw .system(operation: "receive on", path: path, errno: errno)
        }
      }
      guard isOurs(&source, length) else { continue }
      datagram.removeAll(keepingCapacity: true)
      datagram += scratch[..<count]
      taken = 0
      // Programs in C send the end of a string, too.
      while datagram.last == 0 { datagram.removeLast() }
      if let last = datagram.last, last != 0x0A { datagram.append(0x0A) }
      return true
    }
  }

  /// Whether a datagram comes from the sender that is listened to: by its address, because some apps use another port each time.
  private func isOurs(_ source: inout sockaddr_storage, _ length: socklen_t) -> Bool {
    let range = Int32(source.ss_family) == AF_INET6 ? 8..<24 : 4..<8
    let isSame = unsafe withUnsafeBytes(of: &source) { unsafe senderBytes.elementsEqual($0[range]) }
    if isSame { return true }
    if !senderBytes.isEmpty && otherSender != nil { return false }
    let name = Self.name(&source, length)
    if senderBytes.isEmpty {
      unsafe withUnsafeBytes(of: &source) { bytes in senderBytes = unsafe Array(bytes[range]) }
      sender = name
      return true
    }
    otherSender = name
    return false
  }

  /// - Returns: the descriptor, or -1 and the error number, or -1 and `nil` where there is no such host.
  private static func open(_ host: String, _ port: UInt16, _ family: Int32) -> (Int32, Int32?) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = family
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return (-1, nil) }
    defer { unsafe freeaddrinfo(list) }
    var code: Int32 = EADDRNOTAVAIL
    var next = unsafe list
    while let candidate = unsafe next {
      let type = unsafe candidate.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = unsafe socket(candidate.pointee.ai_family, type, 0)
      if descriptor >= 0 {
        // `::` receives what comes over IPv4, too.
        var off: Int32 = 0
        unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        if unsafe bind(descriptor, candidate.pointee.ai_addr, candidate.pointee.ai_addrlen) == 0 {
          return (descriptor, nil)
        }
        code = errno
        close(descriptor)
      } else {
        code = errno
      }
      unsafe next = candidate.pointee.ai_next
    }
    return (-1, code)
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
    }
    // The port stands at the same place in both families.
    return code != 0 ? 0 : unsafe withUnsafeBytes(of: &address) { UInt16(unsafe $0[2]) << 8 | UInt16(unsafe $0[3]) }
  }

  private static func name(_ address: inout sockaddr_storage, _ length: socklen_t) -> String {
    var text = [CChar](repeating: 0, count: 64)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getnameinfo(pointer, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      }
    }
    guard code == 0 else { return "an unknown address" }
    let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // An address of IPv4, as IPv6 writes it.
    return name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
  }
}
