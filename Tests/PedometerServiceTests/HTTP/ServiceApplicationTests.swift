import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import PedometerService

@Suite("the service from beginning to end")
struct ServiceApplicationTests {
  private static func ask(_ path: String, at address: String, until end: String) async throws -> String {
    let place = try ListenAddress(address)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: place.host, port: place.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      var text = ""
      for try await part in inbound {
        text += String(buffer: part)
        if text.contains(end) { break }
      }
      return text
    }
  }

  @Test("it listens on every address, and ends its streams when it is told to end")
  func wholeLife() async throws {
    var settings = ServiceSettings()
    settings.addresses = [ListenAddress(host: "127.0.0.1", port: 0), ListenAddress(host: "localhost", port: 0)]
    let (addresses, told) = AsyncStream.makeStream(of: String.self)
    let metrics = ServiceMetrics(version: "1")
    let hub = EventHub(metrics: metrics)
    let service = try ServiceApplication(
      backend: FakeBackend(), hub: hub, metrics: metrics, settings: settings,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onListening: { told.yield($0) })
    let group = ServiceGroup(
      configuration: .init(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    let running = Task { try await group.run() }
    var listening: [String] = []
    for await address in addresses {
      listening.append(address)
      if listening.count == 2 { break }
    }
    #expect(listening.allSatisfy { !$0.hasSuffix(":0") })
    for address in listening {
      #expect(try await Self.ask("/health", at: address, until: "}]}").contains(#""status":"ok""#))
    }
    let first = try #require(listening.first)
    // The stream's end is an empty chunk.
    let stream = Task { try await Self.ask("/api/live", at: first, until: "\r\n0\r\n\r\n") }
    while hub.readerCount == 0 { await Task.yield() }
    hub.publish("last")
    await group.triggerGracefulShutdown()
    try await running.value
    let text = try await stream.value
    #expect(text.contains("data: last\n\n") && text.hasSuffix("0\r\n\r\n") && hub.readerCount == 0)
  }

  @Test("lines that another part brings go out as they come, and stop when the client goes")
  func foreignLines() async throws {
    struct Rooms: RouteGroup {
      let lines: AsyncStream<[UInt8]>

      func register(in routes: inout RouteTable) {
        routes.add(.get, "/chat/room", .everybody) { request, _ in
          EventStream.response(lines: lines, type: "application/x-ndjson", for: request)
        }
      }
    }
    let (lines, room) = AsyncStream.makeStream(of: [UInt8].self)
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    room.onTermination = { reason in
      if case .cancelled = reason { end.yield(true) } else { end.yield(false) }
    }
    try await FakeService(groups: [Rooms(lines: lines)]).test(.live) { client in
      let port = try #require(client.port)
      room.yield(Array("{\"activeUsers\":1}\n".utf8))
      let text = try await Self.ask("/chat/room", at: "127.0.0.1:\(port)", until: "{\"activeUsers\":1}")
      #expect(text.contains("{\"activeUsers\":1}") && text.contains("application/x-ndjson"))
      // The client has hung up: the stream is let go.
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == true)
    }
  }
}
