import Logging
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import PedometerService
@testable import RaceRoom
@testable import ServiceHTTP
@testable import ServiceWalkers

@Suite("the service from beginning to end", .timeLimit(.minutes(30)), .ownThreads)
struct ServiceApplicationTests {
  private static func ask(_ path: String, at place: ListenAddress, until end: String) async throws -> String {
    try await RawClient.ask(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n", host: place.host, port: place.port, until: end)
  }

  /// Runs a service on real sockets while the body runs.
  private static func run(
    at addresses: [ListenAddress], hub: EventHub = EventHub(metrics: ServiceMetrics(version: "1")),
    _ body: (_ listening: [ListenAddress], ServiceGroup) async throws -> Void
  ) async throws {
    var settings = HTTPSettings()
    settings.addresses = addresses
    let (listening, told) = AsyncStream.makeStream(of: [ListenAddress].self)
    let service = try ServiceApplication(
      backend: FakeBackend().routes, hub: hub, metrics: ServiceMetrics(version: "1"), settings: settings,
      walkers: WalkerBook(folder: "/nowhere"), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      onListening: { told.yield($0) })
    let group = ServiceGroup(
      configuration: .init(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    let running = Task {
      // A service that cannot listen fails the test; nothing waits for its addresses.
      defer { told.finish() }
      try await group.run()
    }
    if let addresses = await listening.first(where: { _ in true }) {
      do { try await body(addresses, group) } catch {
        await group.triggerGracefulShutdown()
        throw error
      }
      await group.triggerGracefulShutdown()
    }
    try await running.value
  }

  @Test("listens on every address, and ends its streams when it is stopped")
  func wholeLife() async throws {
    let readers = Observed<[EventHub.ReaderEvent]>([])
    let hub = EventHub(metrics: ServiceMetrics(version: "1")) { event in readers.update { $0.append(event) } }
    let local = ListenAddress(host: "127.0.0.1", port: 0)
    try await Self.run(at: [local, local], hub: hub) { listening, group in
      #expect(Set(listening.map(\.port)).subtracting([0]).count == 2)
      for address in listening {
        let answer = try await Self.ask("/health", at: address, until: "}]}")
        #expect(answer.contains(#""status":"ok""#))
      }
      let first = try #require(listening.first)
      // The stream's end is an empty chunk.
      let stream = Task { try await Self.ask("/api/live", at: first, until: "\r\n0\r\n\r\n") }
      await readers.wait { $0.contains(.joined) }
      hub.publish("last")
      await group.triggerGracefulShutdown()
      let text = try await stream.value
      #expect(text.contains("data: last\n\n") && text.hasSuffix("0\r\n\r\n"))
    }
    #expect(hub.readerCount == 0)
  }

  @Test("localhost is both loopback addresses, or the available one")
  func localhost() async throws {
    let has6 = try ListenPlaces([ListenAddress("localhost:1")]).addresses.count == 2
    try await Self.run(at: [ListenAddress(host: "localhost", port: 0)]) { listening, _ in
      #expect(listening.map(\.host) == (has6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]))
      #expect(listening.allSatisfy { $0.port != 0 })
      for address in listening {
        let answer = try await Self.ask("/health", at: address, until: "}]}")
        #expect(answer.contains(#""status":"ok""#))
      }
    }
  }

  @Test("lines of other modules are sent as they arrive, and stop when the client disconnects")
  func foreignLines() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let room = OneRoom(first: [Array("{\"activeUsers\":1}\n".utf8)]) { end.yield() }
    try await FakeService(groups: [room]).serve { port in
      let text = try await Self.ask(
        "/chat/room", at: ListenAddress(host: "127.0.0.1", port: port), until: "{\"activeUsers\":1}")
      #expect(text.contains("{\"activeUsers\":1}") && text.contains("application/x-ndjson"))
      // The client has disconnected, so the stream is released.
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() != nil)
    }
  }
}

/// The stream of a room.
struct OneRoom: RouteGroup {
  /// The lines of each stream before it waits for others.
  var first: [[UInt8]] = []
  /// Called at the end of each stream.
  var ended: @Sendable () -> Void = {}

  func register(in routes: inout RouteTable) {
    routes.add(.get, "/chat/room", .everybody) { _, context in
      EventStream.response(
        lines: RoomLines(LineQueue(first: first, limit: 9), end: ended), type: "application/x-ndjson", to: context)
    }
  }
}
