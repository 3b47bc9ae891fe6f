import Glibc
import NIOCore

/// The meaning of `localhost` for listening: the loopback addresses of IPv4 and IPv6 with one port, as far as this
/// machine has them.
///
/// The name is not resolved, as RFC 6761, section 6.3 advises: the hosts file may lack it or know only one of the two,
/// and clients try either.
struct Localhost {
  /// Binds one address.
  typealias Hold = (ListenAddress) throws(ListenFailure) -> HeldPort

  /// The addresses with the port, IPv4 first.
  var addresses: [ListenAddress] { held.map(\.address) }
  /// The families that this machine lacks, with the reasons.
  let missing: [ListenFailure]
  /// Other processes cannot bind the ports while they are held.
  private let held: [HeldPort]

  /// The maximum number of attempts to find a free port.
  private static let attempts = 64

  /// Holds a port on both families.
  /// - Parameters:
  ///   - port: the port; 0 means any that is free on both.
  ///   - hold: binds one address; tests use their own.
  /// - Throws: why the port cannot be used, or why neither family is available.
  init(
    port: Int,
    hold: Localhost.Hold = { (wanted) throws(ListenFailure) in try HeldPort(wanted) }
  ) throws(ListenFailure) {
    var left = Self.attempts
    while true {
      do {
        (held, missing) = try Self.both(port, hold)
        return
      } catch {
        left -= 1
        // A port that is free on one family may be in use on the other.
        guard port == 0, error.errno == EADDRINUSE, left > 0 else { throw error }
      }
    }
  }

  private static func both(
    _ port: Int, _ hold: Hold
  ) throws(ListenFailure) -> ([HeldPort], [ListenFailure]) {
    var held: [HeldPort] = []
    var missing: [ListenFailure] = []
    for host in ["127.0.0.1", "::1"] {
      do throws(ListenFailure) {
        held.append(try hold(ListenAddress(host: host, port: held.first?.address.port ?? port)))
      } catch {
        guard error.isFamilyMissing else { throw error }
        missing.append(error)
      }
    }
    if held.isEmpty, let failure = missing.first { throw failure }
    return (held, missing)
  }
}

/// The addresses of the servers: the settings' addresses, each once, with `localhost` replaced.
struct ListenPlaces {
  private(set) var addresses: [ListenAddress] = []
  /// The families that `localhost` lacks on this machine.
  private(set) var missing: [ListenFailure] = []
  private var held: [Localhost] = []

  /// - Parameter hold: binds one address; tests use their own.
  init(
    _ settings: [ListenAddress],
    hold: Localhost.Hold = { (wanted) throws(ListenFailure) in try HeldPort(wanted) }
  ) throws(ListenFailure) {
    for address in settings {
      guard address.isLocalhost else {
        add(address)
        continue
      }
      let localhost = try Localhost(port: address.port, hold: hold)
      for address in localhost.addresses { add(address) }
      missing += localhost.missing
      held.append(localhost)
    }
  }

  private mutating func add(_ address: ListenAddress) {
    if address.port == 0 || !addresses.contains(address) { addresses.append(address) }
  }
}

/// A port that is bound without listening: no other process gets it, and this process's server can still bind it.
final class HeldPort: Sendable {
  /// The address with the port that was bound.
  let address: ListenAddress
  private let descriptor: Int32?

  init(address: ListenAddress, descriptor: Int32? = nil) {
    self.address = address
    self.descriptor = descriptor
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Binds a literal address.
  convenience init(_ wanted: ListenAddress) throws(ListenFailure) {
    guard let place = try? SocketAddress(ipAddress: wanted.host, port: wanted.port) else {
      throw ListenFailure(address: "\(wanted)", errno: EADDRNOTAVAIL)
    }
    let family = place.protocol == .inet6 ? AF_INET6 : AF_INET
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ListenFailure(address: "\(wanted)", errno: errno) }
    // A given port may still have connections of a service that has just ended. One that the system chooses must be
    // unused.
    if wanted.port != 0 { Self.share(descriptor) }
    guard unsafe place.withSockAddr({ unsafe bind(descriptor, $0, socklen_t($1)) }) == 0 else {
      let failure = ListenFailure(address: "\(wanted)", errno: errno)
      close(descriptor)
      throw failure
    }
    // The server binds the same address before this is closed.
    Self.share(descriptor)
    self.init(address: ListenAddress(host: wanted.host, port: Self.port(of: descriptor)), descriptor: descriptor)
  }

  private static func share(_ descriptor: Int32) {
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
    }
    // The port is at the same offset in IPv4 addresses.
    return Int(UInt16(bigEndian: address.sin6_port))
  }
}
