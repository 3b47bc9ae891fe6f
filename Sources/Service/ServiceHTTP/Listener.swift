import NIOCore
import Platform
import ServiceLifecycle

/// The server of one address, whose failure to listen is reported in words.
struct Listener<Server: Service>: Service {
  let address: ListenAddress
  let server: Server

  func run() async throws {
    do { try await server.run() } catch let error as IOError {
      throw ListenFailure(address: "\(address)", errno: error.errnoCode)
    } catch is SocketAddressError.UnknownHost {
      throw ListenFailure(address: "\(address)", errno: EADDRNOTAVAIL)
    }
  }
}

/// Why the service cannot listen.
package struct ListenFailure: Error, Hashable, CustomStringConvertible {
  var address: String
  package var errno: Int32

  /// Whether the machine lacks the address, or all addresses of its family.
  var isFamilyMissing: Bool { [EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL].contains(errno) }

  package var description: String {
    switch errno {
    case EADDRINUSE: "\(address) is in use by another program; stop it, or choose another one, such as 127.0.0.1:8081"
    case EACCES: "no permission to listen on \(address); choose a port above 1023"
    case EADDRNOTAVAIL: "\(address) is not an address of this machine; choose another, such as 127.0.0.1:8080"
    default: "cannot listen on \(address) (\(systemText(errno))); choose another address"
    }
  }
}
