import Foundation
import ServiceTransport
import Synchronization
import TestSupport
import Testing

@testable import Analytics

/// Delivery from the spool to the service.
@Suite("ReportDelivery", .timeLimit(.minutes(30)))
struct ReportDeliveryTests {
  private let clock = ManualClock()
  private let folder: SpoolFolder
  private let spool: ReportSpool
  private let backEnd: AnalyticsBackEnd

  init() throws {
    folder = try SpoolFolder()
    spool = ReportSpool(folder: folder.path)
    backEnd = try .inMemory()
  }

  private func delivery(
    _ transport: any Transport, access: (@Sendable () -> AnalyticsAccess?)? = nil
  ) -> ReportDelivery {
    let usual = backEnd.access
    let client = AnalyticsClient(access: access ?? { usual }, sender: TransportSender(transport: transport))
    return ReportDelivery(spool: spool, client: client, clock: clock, chance: { 1 })
  }

  private func report(_ range: ClosedRange<Int>) { for number in range { spool.append(numbered(number)) } }

  private func kept() async throws -> [Int] { numbers(try await backEnd.kept().map(\.name)) }

  @Test(
    "a service that is down, slow, failing or sending garbage: reports arrive later, once each, in order",
    arguments: [
      [.down], [.slow], [.status(500)], [.garbage], [.status(404)], [.status(302)],
      [.down, .slow, .status(503), .garbage, .slow, .status(429), .down],
    ] as [[FaultyTransport.Fault]])
  func faults(_ faults: [FaultyTransport.Fault]) async throws {
    report(1...6)
    let transport = FaultyTransport(to: backEnd.transport, faults)
    let delivery = delivery(transport)
    await clock.flying {
      let analytics = SpooledAnalytics(spool: spool, delivery: delivery, isOn: { true })
      for number in 7...10 { analytics.sendReport(report: numbered(number)) }
      await transport.waitForRequests(10 + faults.count)
      // The flying clock would end this before the last answer.
      await analytics.finish(within: .seconds(300))
    }
    #expect(try await kept() == Array(1...10))
    #expect(await spool.status() == ReportSpool.Status())
    #expect(transport.requests.count == 10 + faults.count)
  }

  @Test("each failure doubles the wait, up to the limit; a success resets it")
  func backoff() async throws {
    report(1...2)
    let faults = [FaultyTransport.Fault](repeating: .down, count: 11)
    let delivery = delivery(FaultyTransport(to: backEnd.transport, faults))
    var waits: [Duration] = []
    while case .waits(let time) = await delivery.drain() { waits.append(time) }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { Duration.seconds($0) })
    #expect(try await kept() == [1, 2])
  }

  @Test("after a success, the first failure waits a second again")
  func reset() async throws {
    report(1...2)
    let down: @Sendable (TransportRequest) async throws -> TransportResponse = { _ in TransportResponse(status: 503) }
    let stored: @Sendable (TransportRequest) async throws -> TransportResponse = { [transport = backEnd.transport] in
      try await transport.send($0, timeout: .seconds(1))
    }
    let delivery = delivery(CannedTransport(first: [down, down, stored, down], then: stored))
    var waits: [Duration] = []
    while case .waits(let time) = await delivery.drain() { waits.append(time) }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(1)])
  }

  @Test("a token that was refused is tried again after another one was accepted")
  func formerToken() async throws {
    report(1...1)
    let token = Mutex("wrong")
    let address = backEnd.access.address
    let transport = FaultyTransport(to: backEnd.transport, [])
    let delivery = delivery(transport) { AnalyticsAccess(address: address, token: token.withLock { $0 }) }
    _ = await delivery.drain()
    token.withLock { $0 = AnalyticsBackEnd.token }
    #expect(await delivery.drain() == .empty)
    token.withLock { $0 = "wrong" }
    report(2...2)
    #expect(await delivery.drain() == .held)
    #expect(transport.requests.count == 3)
  }

  @Test("a wait that the service requests is respected")
  func retryAfter() async throws {
    report(1...1)
    let stub = CannedTransport(
      first: [{ _ in TransportResponse(status: 429, headers: [.init("retry-after", "90")]) }],
      then: { [transport = backEnd.transport] in try await transport.send($0, timeout: .seconds(1)) })
    let delivery = delivery(stub)
    let running = Task { await delivery.run() }
    await clock.waitForSleepers()
    #expect(clock.nextDeadline == .init(offset: .seconds(90)))
    clock.advance(by: .milliseconds(89_999))
    #expect(stub.requests.count == 1)
    clock.advance(by: .milliseconds(1))
    await stub.waitForRequests(2)
    await delivery.end()
    await running.value
    #expect(try await kept() == [1])
  }

  @Test("a permanently refused report is dropped, counted, and does not block others", arguments: [400, 413, 415, 422])
  func refused(_ status: Int) async throws {
    report(1...3)
    let delivery = delivery(FaultyTransport(to: backEnd.transport, [.status(status)]))
    #expect(await delivery.drain() == .empty)
    #expect(try await kept() == [2, 3])
    let spooled = await spool.status()
    #expect(spooled.refused == 1 && spooled.waiting == 0 && spooled.dropped == 0)
  }

  @Test("a wrong token: nothing is stored or lost, and there is no retry until the token changes")
  func wrongToken() async throws {
    report(1...3)
    let token = Mutex("wrong")
    let transport = FaultyTransport(to: backEnd.transport, [])
    let address = backEnd.access.address
    let delivery = delivery(transport) {
      AnalyticsAccess(address: address, token: token.withLock { $0 })
    }
    for _ in 0..<3 { #expect(await delivery.drain() == .held) }
    #expect(transport.requests.count == 1)
    #expect(try await kept() == [])
    // This token is known, but not permitted to report.
    token.withLock { $0 = "reader's-token" }
    #expect(await delivery.drain() == .held)
    #expect(transport.requests.count == 2)
    #expect(try await kept() == [])
    token.withLock { $0 = AnalyticsBackEnd.token }
    #expect(await delivery.drain() == .empty)
    #expect(try await kept() == [1, 2, 3])
  }

  @Test("without a token nothing is sent; with one, all queued reports are sent within the interval")
  func noToken() async throws {
    let token = Mutex<AnalyticsAccess?>(nil)
    let stub = FaultyTransport(to: backEnd.transport, [])
    let delivery = delivery(stub) { token.withLock { $0 } }
    report(1...2)
    let running = Task { await delivery.run() }
    await clock.waitForSleepers()
    #expect(stub.requests.isEmpty)
    token.withLock { $0 = backEnd.access }
    #expect(clock.nextDeadline == .init(offset: .seconds(30)))
    clock.advance(by: ReportDelivery.holdInterval)
    await stub.waitForRequests(2)
    await delivery.end()
    await running.value
    #expect(try await kept() == [1, 2])
  }

  @Test("two processes that deliver one spool: each report is stored once, in order")
  func together() async throws {
    report(1...40)
    _ = await spool.status()
    let access = backEnd.access
    let others = (0..<3).map { _ in
      ReportDelivery(
        spool: ReportSpool(folder: folder.path),
        client: AnalyticsClient(access: { access }, sender: TransportSender(transport: backEnd.transport)), clock: clock
      )
    }
    await withTaskGroup(of: Void.self) { group in
      for other in others { group.addTask { await other.drain() } }
    }
    #expect(try await kept() == Array(1...40))
  }

  @Test("the end of a program waits for reports that can be delivered, and not for others")
  func finish() async throws {
    let late = SpooledAnalytics(spool: spool, delivery: delivery(backEnd.transport), isOn: { true })
    for number in 1...20 { late.sendReport(report: numbered(number)) }
    await late.finish(within: .seconds(1), clock: clock)
    await clock.waitUntilIdle()
    #expect(try await kept() == Array(1...20))

    let down = CannedTransport { throw TransportError.unreachable(address: $0.url, reason: "connection refused") }
    let nobody = SpooledAnalytics(spool: spool, delivery: delivery(down), isOn: { true })
    nobody.sendReport(report: numbered(21))
    await nobody.finish(within: .seconds(1), clock: clock)
    #expect(await spool.status().waiting == 1)
  }

  @Test("at the end a missing answer is not awaited; the report stays")
  func finishSlow() async throws {
    let stub = CannedTransport { _ in
      try await Task.sleep(for: .seconds(3600))
      throw CancellationError()
    }
    let slow = SpooledAnalytics(spool: spool, delivery: delivery(stub), isOn: { true })
    slow.sendReport(report: numbered(1))
    await clock.flying { await slow.finish(within: .seconds(1), clock: clock) }
    #expect(await spool.status().waiting == 1)
    #expect(clock.now.offset >= .seconds(1))
  }

  @Test("a withdrawn consent takes effect at once")
  func consent() async throws {
    let isOn = Mutex(false)
    let analytics = SpooledAnalytics(
      spool: spool, delivery: delivery(backEnd.transport), isOn: { isOn.withLock { $0 } })
    analytics.sendReport(report: numbered(1))
    _ = await spool.status()
    isOn.withLock { $0 = true }
    analytics.sendReport(report: numbered(2))
    _ = await spool.status()
    isOn.withLock { $0 = false }
    analytics.sendReport(report: numbered(3))
    await analytics.finish(within: .seconds(1), clock: clock)
    #expect(try await kept() == [2])
  }
}

/// The waits.
@Suite("Waits after failures", .timeLimit(.minutes(30)))
struct DeliveryWaitTests {
  @Test("jitter subtracts at most half")
  func chance() {
    #expect(ReportDelivery.wait(.seconds(4), asked: nil, chance: 0) == .seconds(2))
    #expect(ReportDelivery.wait(.seconds(4), asked: nil, chance: 1) == .seconds(4))
  }

  @Test("the requested wait is a minimum, up to an hour")
  func asked() {
    #expect(ReportDelivery.wait(.seconds(1), asked: .seconds(40), chance: 1) == .seconds(40))
    #expect(ReportDelivery.wait(.seconds(256), asked: .seconds(40), chance: 1) == .seconds(256))
    #expect(ReportDelivery.wait(.seconds(1), asked: .seconds(1_000_000), chance: 1) == .seconds(3600))
  }
}
