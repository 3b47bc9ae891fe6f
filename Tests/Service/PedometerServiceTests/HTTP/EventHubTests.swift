import NIOCore
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("the hub of the event stream", .timeLimit(.minutes(30)))
struct EventHubTests {
  private static func text(_ delivery: EventHub.Delivery?) -> String? {
    guard case .lines(let lines)? = delivery else { return nil }
    return lines.map { String(buffer: $0) }.joined()
  }

  @Test("a reader gets every line once, in order, under increasing numbers")
  func order() async throws {
    let hub = EventHub(capacity: 8, first: 100)
    let reader = try hub.subscribe()
    hub.publish("a")
    hub.publish("b\n")
    #expect(Self.text(await reader.next()) == "id: 100\ndata: a\n\nid: 101\ndata: b\n\n")
    hub.publish("c")
    #expect(Self.text(await reader.next()) == "id: 102\ndata: c\n\n")
  }

  @Test("a waiting reader is woken by the next line")
  func waking() async throws {
    let hub = EventHub()
    let reader = try hub.subscribe()
    let clock = ManualClock()
    let running = Task { await hub.run(clock: clock) }
    let next = Task { await reader.next() }
    hub.publish("a")
    #expect(Self.text(await next.value) == "id: 1\ndata: a\n\n")
    running.cancel()
  }

  @Test("a burst is one wake-up: lines within the pause are sent together")
  func coalescing() async throws {
    let readers = Observed<[EventHub.ReaderEvent]>([])
    let hub = EventHub { event in readers.update { $0.append(event) } }
    let clock = ManualClock()
    let running = Task { await hub.run(pause: .milliseconds(20), heartbeat: .seconds(15), clock: clock) }
    let reader = try hub.subscribe()
    hub.publish("a")
    #expect(Self.text(await reader.next()) == "id: 1\ndata: a\n\n")
    // The hub sleeps for its pause, in parallel with the heartbeat's clock.
    await clock.waitForSleepers(2)
    let next = Task { await reader.next() }
    await readers.wait { $0.contains(.waits) }
    for line in ["b", "c", "d"] { hub.publish(line) }
    clock.advance(by: .milliseconds(20))
    #expect(Self.text(await next.value) == "id: 2\ndata: b\n\nid: 3\ndata: c\n\nid: 4\ndata: d\n\n")
    running.cancel()
  }

  @Test("a returning reader gets the missed lines that are still stored, and the number of lost ones")
  func resuming() async throws {
    let hub = EventHub(capacity: 4)
    for line in 1...6 { hub.publish("\(line)") }
    let near = try hub.subscribe(after: 4)
    #expect(Self.text(await near.next()) == "id: 5\ndata: 5\n\nid: 6\ndata: 6\n\n")
    let far = try hub.subscribe(after: 1)
    guard case .gap(let missed, let last)? = await far.next() else {
      Issue.record("no gap was told")
      return
    }
    #expect(missed == 1 && last == 2)
    #expect(Self.text(await far.next())?.hasPrefix("id: 3\ndata: 3\n\n") == true)
  }

  @Test("a number of an earlier or later run starts again or with a gap, never with silence")
  func otherRuns() async throws {
    let hub = EventHub(capacity: 4, first: 1000)
    hub.publish("a")
    let before = try hub.subscribe(after: 17)
    guard case .gap(983 - 1, 999)? = await before.next() else {
      Issue.record("no gap was told")
      return
    }
    #expect(Self.text(await before.next()) == "id: 1000\ndata: a\n\n")
    let later = try hub.subscribe(after: 5000)
    hub.publish("b")
    #expect(Self.text(await later.next()) == "id: 1001\ndata: b\n\n")
    let extreme = try hub.subscribe(after: .max)
    hub.publish("c")
    #expect(Self.text(await extreme.next()) == "id: 1002\ndata: c\n\n")
  }

  @Test("a reader that is overtaken gets the number of lost lines, and continues with the oldest that is stored")
  func fallingBehind() async throws {
    let metrics = ServiceMetrics(version: "1")
    let hub = EventHub(capacity: 4, metrics: metrics)
    let reader = try hub.subscribe()
    for line in 1...10 { hub.publish("\(line)") }
    guard case .gap(let missed, let last)? = await reader.next() else {
      Issue.record("no gap was told")
      return
    }
    #expect(missed == 6 && last == 6)
    #expect(Self.text(await reader.next())?.hasPrefix("id: 7\ndata: 7\n\n") == true)
    #expect(metrics.text.contains("pedometer_sse_events_skipped_total 6\n"))
  }

  @Test("a thousand readers share the same bytes: nothing is copied for them")
  func sharing() async throws {
    let hub = EventHub(capacity: 4)
    let readers = try (0..<1000).map { _ in try hub.subscribe() }
    hub.publish(String(repeating: "x", count: 1000))
    var places: Set<UInt> = []
    for reader in readers {
      guard case .lines(let lines)? = await reader.next() else { continue }
      for line in lines {
        unsafe places.insert(line.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) })
      }
    }
    #expect(places.count == 1)
  }

  @Test("the amount per read is limited, but lines are not split")
  func batches() async throws {
    let hub = EventHub()
    let reader = try hub.subscribe()
    for _ in 0..<3 { hub.publish(String(repeating: "x", count: 1000)) }
    let sizes = [await reader.next(atMost: 2200), await reader.next(atMost: 10)].map { delivery in
      guard case .lines(let lines)? = delivery else { return 0 }
      return lines.count
    }
    #expect(sizes == [2, 1])
  }

  @Test("a heartbeat is sent to readers for which there are no lines, and only to those")
  func heartbeat() async throws {
    let hub = EventHub()
    let (quiet, busy) = (try hub.subscribe(), try hub.subscribe())
    hub.wake(.heartbeat)
    guard case .heartbeat? = await quiet.next() else {
      Issue.record("no heartbeat")
      return
    }
    hub.publish("a")
    #expect(Self.text(await busy.next()) == "id: 1\ndata: a\n\n")
    #expect(Self.text(await quiet.next()) == "id: 1\ndata: a\n\n")
    hub.publish("b")
    #expect(Self.text(await busy.next()) == "id: 2\ndata: b\n\n")
  }

  @Test("the number of slots is limited, and one is free again when its reader disconnects")
  func slots() throws {
    let metrics = ServiceMetrics(version: "1")
    let hub = EventHub(maximumReaders: 2, metrics: metrics)
    var readers = try [hub.subscribe(), hub.subscribe()]
    #expect(throws: ServiceRefusal(503, "too many open streams; try again later")) {
      try hub.subscribe()
    }
    readers.removeLast()
    #expect(hub.readerCount == 1)
    readers.append(try hub.subscribe())
    #expect(metrics.text.contains("pedometer_sse_subscribers 2\n"))
    #expect(metrics.text.contains("pedometer_sse_refused_total 1\n"))
  }

  @Test("closing, leaving and cancelling each end a waiting reader")
  func ending() async throws {
    let hub = EventHub()
    let (one, two, three) = (try hub.subscribe(), try hub.subscribe(), try hub.subscribe())
    let leaving = Task { await one.next() == nil }
    one.leave()
    #expect(await leaving.value)
    let cancelled = Task { await two.next() == nil }
    cancelled.cancel()
    #expect(await cancelled.value)
    hub.publish("last")
    hub.close()
    #expect(Self.text(await three.next()) == "id: 1\ndata: last\n\n")
    #expect(await three.next() == nil)
    #expect(throws: ServiceRefusal.self) { try hub.subscribe() }
  }

  @Test("many writers and readers at once lose nothing")
  func storm() async throws {
    let hub = EventHub(capacity: 65_536)
    let running = Task { await hub.run(pause: .zero) }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        let reader = try hub.subscribe()
        group.addTask {
          var count = 0
          while count < 4000, case .lines(let lines)? = await reader.next() { count += lines.count }
          return count
        }
      }
      for writer in 0..<4 {
        group.addTask {
          for line in 0..<1000 { hub.publish("\(writer) \(line)") }
          return 4000
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    running.cancel()
    #expect(counts == Array(repeating: 4000, count: 54))
  }
}
