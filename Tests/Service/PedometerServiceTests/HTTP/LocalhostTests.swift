import Glibc
import Testing

@testable import PedometerService
@testable import ServiceHTTP

/// The test determines the available address families.
@Suite("the meaning of localhost", .timeLimit(.minutes(30)))
struct LocalhostTests {
  /// A machine that assigns the ports 5000, 5001 and so on.
  private final class Machine {
    var refusals: [String: Int32]
    private(set) var asked: [String] = []
    private var free = 5000

    init(_ refusals: [String: Int32] = [:]) { self.refusals = refusals }

    func hold(_ wanted: ListenAddress) throws(ListenFailure) -> HeldPort {
      asked.append("\(wanted)")
      if let errno = refusals["\(wanted)"] ?? refusals[wanted.host] {
        throw ListenFailure(address: "\(wanted)", errno: errno)
      }
      defer { free += 1 }
      return HeldPort(address: ListenAddress(host: wanted.host, port: wanted.port == 0 ? free : wanted.port))
    }
  }

  @Test("both families get the requested port, or the same free one")
  func both() throws {
    #expect(try Localhost(port: 80, hold: Machine().hold).addresses.map(\.description) == ["127.0.0.1:80", "[::1]:80"])
    let free = try Localhost(port: 0, hold: Machine().hold)
    #expect(free.addresses.map(\.description) == ["127.0.0.1:5000", "[::1]:5000"] && free.missing.isEmpty)
  }

  @Test("a missing family is omitted, and reported", arguments: [EAFNOSUPPORT, EADDRNOTAVAIL])
  func oneFamily(_ errno: Int32) throws {
    let old = try Localhost(port: 0, hold: Machine(["::1": errno]).hold)
    #expect(old.addresses.map(\.description) == ["127.0.0.1:5000"])
    #expect(old.missing == [ListenFailure(address: "[::1]:5000", errno: errno)])
    let new = try Localhost(port: 0, hold: Machine(["127.0.0.1": errno]).hold)
    #expect(new.addresses.map(\.description) == ["[::1]:5000"])
    #expect(throws: ListenFailure(address: "127.0.0.1:80", errno: errno)) {
      try Localhost(port: 80, hold: Machine(["127.0.0.1": errno, "::1": errno]).hold)
    }
  }

  @Test("a port in use on one family is replaced if any will do, otherwise it is an error")
  func taken() throws {
    let machine = Machine(["[::1]:5000": EADDRINUSE, "[::1]:80": EADDRINUSE])
    #expect(try Localhost(port: 0, hold: machine.hold).addresses.map(\.port) == [5001, 5001])
    #expect(throws: ListenFailure(address: "[::1]:80", errno: EADDRINUSE)) {
      try Localhost(port: 80, hold: machine.hold)
    }
    let full = Machine(["::1": EADDRINUSE])
    #expect(throws: ListenFailure.self) { try Localhost(port: 0, hold: full.hold) }
    #expect(full.asked.count == 128)
  }

  @Test("localhost, and an address that it includes, are used once")
  func twice() throws {
    let texts = ["LocalHost:80", "[::1]:80", "127.0.0.1:80", "127.0.0.1:81", "127.0.0.1:0", "127.0.0.1:0"]
    let places = try ListenPlaces(texts.map(ListenAddress.init), hold: Machine().hold)
    #expect(
      places.addresses.map(\.description) == [
        "127.0.0.1:80", "[::1]:80", "127.0.0.1:81", "127.0.0.1:0", "127.0.0.1:0",
      ])
  }

  @Test("the system gives a held port to no other process")
  func held() throws {
    let first = try HeldPort(ListenAddress(host: "127.0.0.1", port: 0))
    let next = try HeldPort(ListenAddress(host: "127.0.0.1", port: 0))
    #expect(first.address.port != 0 && next.address.port != first.address.port)
  }
}
