import Synchronization
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("Connections of clients", .timeLimit(.minutes(30)))
struct OpenConnectionsTests {
  private static func limits(all: Int = 4096, client: Int = 256) -> ServiceLimits {
    var limits = ServiceLimits()
    (limits.connections, limits.connectionsOfClient) = (all, client)
    return limits
  }

  @Test("a client with too many connections loses the one idle for longest, and no other client does")
  func ofClient() throws {
    let connections = OpenConnections(Self.limits(client: 3))
    let closed = Mutex<[Int]>([])
    for index in 0..<3 {
      let number = try #require(connections.arrive("192.0.2.1"))
      connections.rest(number) { closed.withLock { $0.append(index) } }
    }
    let other = try #require(connections.arrive("192.0.2.2"))
    connections.rest(other) { closed.withLock { $0.append(99) } }
    #expect(connections.arrive("192.0.2.1") != nil)
    #expect(closed.withLock { $0 } == [0])
    #expect(connections.count == 4)
  }

  @Test("a client whose connections are all busy gets no further one; another client does")
  func busy() throws {
    let connections = OpenConnections(Self.limits(client: 2))
    let first = try #require(connections.arrive("192.0.2.1"))
    connections.rest(first) { Issue.record("a busy connection was closed") }
    connections.wake(first)
    _ = try #require(connections.arrive("192.0.2.1"))
    #expect(connections.arrive("192.0.2.1") == nil)
    #expect(connections.arrive("192.0.2.2") != nil)
    connections.leave(first)
    #expect(connections.arrive("192.0.2.1") != nil)
  }

  @Test("if connections become scarce, idle ones are closed, also those of this machine's programs")
  func crowd() throws {
    let connections = OpenConnections(Self.limits(all: 16))
    let closed = Mutex<[Int]>([])
    for index in 0..<200 {
      let number = try #require(connections.arrive("127.0.0.1"))
      connections.rest(number) { closed.withLock { $0.append(index) } }
    }
    #expect(connections.count == 14)
    #expect(closed.withLock { $0 } == Array(0..<186))
  }

  @Test("the programs of this machine leave half of the connections to others")
  func share() throws {
    let connections = OpenConnections(Self.limits(all: 16, client: 2))
    let closed = Mutex(0)
    for _ in 0..<20 {
      let number = try #require(connections.arrive("127.0.0.1"))
      connections.rest(number) { closed.withLock { $0 += 1 } }
    }
    #expect(connections.count == 7 && closed.withLock { $0 } == 13)
    for _ in 0..<2 { #expect(connections.arrive("192.0.2.1") != nil) }
    #expect(closed.withLock { $0 } == 13)
  }

  @Test("a connection that was closed to make room is not counted twice when it ends")
  func once() throws {
    let connections = OpenConnections(Self.limits(client: 1))
    let first = try #require(connections.arrive("192.0.2.1"))
    connections.rest(first) {}
    let second = try #require(connections.arrive("192.0.2.1"))
    connections.leave(first)
    #expect(connections.count == 1)
    #expect(connections.arrive("192.0.2.1") == nil)
    connections.leave(second)
    #expect(connections.count == 0 && connections.arrive("192.0.2.1") != nil)
  }

  @Test("once seven eighths of a crowd have gone, it is said once; a few connections are not a crowd")
  func crowdGone() throws {
    let connections = OpenConnections(Self.limits())
    for count in [OpenConnections.crowd, 1000] {
      let numbers = try (0..<count).map { _ in try #require(connections.arrive("127.0.0.1")) }
      let said = numbers.indices.filter { connections.leave(numbers[$0]) }
      #expect(said == [count - count / 8 - 1])
    }
    let few = try (1..<OpenConnections.crowd).map { _ in try #require(connections.arrive("127.0.0.1")) }
    #expect(few.allSatisfy { !connections.leave($0) })
  }
}
