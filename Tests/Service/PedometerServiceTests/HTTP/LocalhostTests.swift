import Glibc
import Testing

@testable import PedometerService
@testable import ServiceHTTP

/// The test determines the available address families.
@Suite("the meaning of localhost", .timeLimit(.minutes(30)))
struct LocalhostTests {
  private func places(_ texts: [String], _ faults: [String: Int32] = [:]) throws -> ListenPlaces {
    try ListenPlaces(texts.map { try ListenAddress($0) }) { faults[$0] ?? 0 }
  }

  @Test("both families get the requested port")
  func both() throws {
    let places = try places(["localhost:80"])
    #expect(places.addresses.map(\.description) == ["127.0.0.1:80", "[::1]:80"])
  }

  @Test("a missing family is omitted", arguments: [EAFNOSUPPORT, EADDRNOTAVAIL])
  func oneFamily(_ errno: Int32) throws {
    let old = try places(["localhost:80"], ["::1": errno])
    #expect(old.addresses.map(\.description) == ["127.0.0.1:80"])
    let new = try places(["localhost:80"], ["127.0.0.1": errno])
    #expect(new.addresses.map(\.description) == ["[::1]:80"])
    #expect(throws: ListenFailure(address: "127.0.0.1:80", errno: errno)) {
      try places(["localhost:80"], ["127.0.0.1": errno, "::1": errno])
    }
  }

  @Test("any other trouble is left to the server, which reports it")
  func full() throws {
    #expect(try places(["localhost:80"], ["::1": ENFILE]).addresses.count == 2)
  }

  @Test("localhost, and an address that it includes, are used once")
  func twice() throws {
    let texts = ["LocalHost:80", "[::1]:80", "127.0.0.1:80", "127.0.0.1:81", "127.0.0.1:0", "127.0.0.1:0"]
    #expect(
      try places(texts).addresses.map(\.description) == [
        "127.0.0.1:80", "[::1]:80", "127.0.0.1:81", "127.0.0.1:0", "127.0.0.1:0",
      ])
  }
}
