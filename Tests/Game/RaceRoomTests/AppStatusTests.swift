import FoundationEssentials
import RaceRoom
import Synchronization
import TestSupport
import Testing

@Suite("observeAppStatus: who goes away and comes back", .timeLimit(.minutes(30)))
struct AppStatusTests {
  private let transport = StubTransport()
  private let stream = AsyncStream.makeStream(of: AppStatus.self)
  private var statuses: AsyncStream<AppStatus> { stream.stream }
  private var feed: AsyncStream<AppStatus>.Continuation { stream.continuation }

  private func client(_ clock: RoomClock = .instant) throws -> RoomClient {
    try RoomClient(url: "http://room.test", username: "Ann", transport: transport, clock: clock)
  }

  private var messages: [Message] {
    get throws { try transport.requests.map { try JSONDecoder().decode(Message.self, from: Data($0.body)) } }
  }

  @Test("going away and coming back are two messages of the room, once each")
  func twoMessages() async throws {
    let client = try client()
    async let observing: Void = client.observeAppStatus(statuses, latency: .zero)
    feed.yield(.active)
    feed.yield(.inactive)
    feed.yield(.inactive)
    await transport.waitForRequests(1)
    feed.yield(.active)
    feed.yield(.active)
    await transport.waitForRequests(2)
    feed.finish()
    try await observing
    #expect(try messages.map(\.message) == ["Ann went away", "Ann came back"])
    #expect(try messages.allSatisfy { $0.user == nil })
  }

  /// A clock whose waits end together, when they are released.
  private final class Waits: Sendable {
    let begun = AsyncStream.makeStream(of: Duration.self)
    private let released = Mutex<[CheckedContinuation<Void, Never>]?>([])

    var clock: RoomClock {
      RoomClock(
        now: { .zero },
        sleep: { duration in
          let wait = { @Sendable in
            await withCheckedContinuation { continuation in
              let isOver = self.released.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
              }
              self.begun.continuation.yield(duration)
              if isOver { continuation.resume() }
            }
          }
          await withTaskCancellationHandler(operation: wait, onCancel: self.release)
          try Task.checkCancellation()
        })
    }

    func release() {
      let waiting = released.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      for continuation in waiting ?? [] { continuation.resume() }
    }
  }

  @Test("who is back in time was not away")
  func latency() async throws {
    let waits = Waits()
    let client = try client(waits.clock)
    var begun = waits.begun.stream.makeAsyncIterator()
    async let observing: Void = client.observeAppStatus(statuses, latency: .seconds(5))
    feed.yield(.inactive)
    #expect(await begun.next() == .seconds(5))
    feed.yield(.active)
    feed.yield(.inactive)
    _ = await begun.next()
    // Both waits are over; only the second absence lasts.
    waits.release()
    await transport.waitForRequests(1)
    feed.yield(.active)
    await transport.waitForRequests(2)
    feed.finish()
    try await observing
    #expect(try messages.map(\.message) == ["Ann went away", "Ann came back"])
  }

  @Test("X9: cancelling the task ends the observation and what it waits for")
  func cancelled() async throws {
    let waits = Waits()
    let client = try client(waits.clock)
    var begun = waits.begun.stream.makeAsyncIterator()
    let (statuses, feed) = (statuses, feed)
    let task = Task { try await client.observeAppStatus(statuses, latency: .seconds(5)) }
    feed.yield(.inactive)
    _ = await begun.next()
    task.cancel()
    _ = await task.result
    #expect(transport.requests.isEmpty)
  }

  @Test("an error of the service ends the observation")
  func refused() async throws {
    let transport = StubTransport([.response(status: 429, body: #"{"error":true,"reason":"too many"}"#)])
    let client = try RoomClient(url: "http://room.test", username: "Ann", transport: transport, clock: .instant)
    feed.yield(.inactive)
    await #expect(throws: RoomClientError.refused(status: 429, reason: "too many")) {
      try await client.observeAppStatus(statuses, latency: .zero)
    }
  }
}
