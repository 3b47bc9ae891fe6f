import Foundation
import Pedometry
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite("The history as a pedometer", .timeLimit(.minutes(30))) struct HistoryPedometerTests {
  private let history: TestHistory
  private let sleeper = ManualClock()

  init() throws { history = try TestHistory() }

  private func pedometer() -> HistoryPedometer {
    HistoryPedometer(folder: history.folder, sleeper: sleeper, clock: history.clock.history)
  }

  /// The calls of handlers.
  private final class Heard<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])
    func add(_ item: Item) { items.withLock { $0.append(item) } }
    var all: [Item] { items.withLock { $0 } }
  }

  /// Lets the pedometer read once more, and returns when it has.
  private func look() async {
    await sleeper.waitForSleepers()
    sleeper.advance(by: .seconds(1))
    await sleeper.waitForSleepers()
  }

  @Test("testCMPedometer_whenQueries_loadsHistoricalData: the last 1000 s of a recorded source give steps, no error")
  func query() throws {
    // given
    try history.walkAtOnce(500, with: history.writer())
    let pedometer = pedometer()
    var error: (any Error)?
    var data: HistoricalWalk?

    // when
    let now = history.clock.now
    pedometer.query(from: now - 1000, to: now) { (data, error) = ($0, $1) }

    // then
    #expect(error == nil)
    let walk = try #require(data)
    #expect(walk.steps > 0)
    #expect(walk.startDate == now - 1000 && walk.endDate == now)
    #expect(walk.averageActivePace == 0.5 / 0.75)
    #expect(walk.currentCadence == nil && walk.currentPace == nil && walk.floorsAscended == nil)
  }

  @Test("totals since a past moment arrive at once and grow, with cadence and pace")
  func updatesFromThePast() async throws {
    let writer = try history.writer()
    try history.walkAtOnce(100, with: writer)
    let heard = Heard<HistoricalWalk>()
    let pedometer = pedometer()
    pedometer.startUpdates(from: TestHistory.morning) { data, error in
      if let data { heard.add(data) }
      #expect(error == nil)
    }
    await sleeper.waitForSleepers()
    #expect(heard.all.map(\.steps) == [100])
    #expect(heard.all.last?.currentCadence == 2)
    #expect(heard.all.last?.currentPace.map { abs($0 - 0.5 / 0.75) < 1e-9 } == true)
    await look()
    #expect(heard.all.count == 1)
    try history.walk(3, with: writer)
    await look()
    #expect(heard.all.map(\.steps) == [100, 103])
    try history.walk(4, with: writer)
    await look()
    try history.walk(5, with: writer)
    await look()
    #expect(heard.all.last?.steps == 112 && heard.all.last?.distanceTravelled == 112 * 0.75)
    #expect(heard.all.last?.activeTime == .seconds(56))
    pedometer.stopUpdates()
    try history.walk(5, with: writer)
    #expect(heard.all.last?.steps == 112)
  }

  @Test("cadence needs two steps, and is that of the time between them", arguments: [1, 2])
  func cadenceOfTwoSteps(steps: Int) async throws {
    let writer = try history.writer()
    try history.walkAtOnce(steps, with: writer, every: 0.4)
    let heard = Heard<HistoricalWalk>()
    let pedometer = pedometer()
    pedometer.startUpdates(from: TestHistory.morning) { data, _ in if let data { heard.add(data) } }
    await sleeper.waitForSleepers()
    #expect(heard.all.map(\.steps) == [steps])
    #expect(heard.all.compactMap(\.currentCadence).map { abs($0 - 2.5) < 1e-6 } == (steps == 1 ? [] : [true]))
    pedometer.stopUpdates()
  }

  @Test("steps without a distance have a cadence and no pace")
  func noDistance() async throws {
    let writer = try history.writer()
    for _ in 0..<5 {
      history.clock.pass(0.5)
      let step = WalkedStep(time: history.clock.now, distance: 0, activeTime: .milliseconds(500))
      try writer.record([step], source: TestHistory.wrist)
    }
    let heard = Heard<HistoricalWalk>()
    let pedometer = pedometer()
    pedometer.startUpdates(from: TestHistory.morning) { data, _ in if let data { heard.add(data) } }
    await sleeper.waitForSleepers()
    #expect(heard.all.map(\.currentCadence) == [2] && heard.all.map(\.currentPace) == [nil])
    pedometer.stopUpdates()
  }

  /// Finishes a stream when it is released.
  private final class Ending: Sendable {
    let stream: AsyncStream<any Error>.Continuation
    init(_ stream: AsyncStream<any Error>.Continuation) { self.stream = stream }
    deinit { stream.finish() }
  }

  @Test("an error ends the updates of events: the handler gets it once, and is released")
  func failedEvents() async {
    let (errors, stream) = AsyncStream.makeStream(of: (any Error).self)
    let pedometer = pedometer()
    pedometer.startEventUpdates { [ending = Ending(stream)] event, error in
      #expect(event == nil)
      if let error { ending.stream.yield(error) }
    }
    var told: [String] = []
    for await error in errors { told.append("\(error)") }
    #expect(told.count == 1)
    withExtendedLifetime(pedometer) {}
  }

  @Test("the founding protocol: started, totals from zero, and silence after a pause")
  func foundingProtocol() async throws {
    let writer = try history.writer()
    try history.walk(20, with: writer)
    history.clock.pass(0.25)
    let (data, events) = (Heard<Int>(), Heard<Bool>())
    let pedometer = pedometer()
    #expect(pedometer.pedometerAvailable && !pedometer.permissionDeclined)
    pedometer.start { walk, _ in
      data.add(walk?.steps ?? -1)
    } eventUpdates: {
      events.add($0 == nil)
    }
    await sleeper.waitForSleepers()
    #expect(events.all == [true] && data.all.isEmpty)
    try history.walk(2, with: writer)
    await look()
    #expect(data.all == [2])
    pedometer.pause()
    try history.walk(2, with: writer)
    #expect(data.all == [2])
  }

  @Test("damage after the start ends the updates: it is an error of the data, and the start was reported once")
  func failedUpdates() async throws {
    try history.walkAtOnce(2400, with: history.writer())
    let (errors, stream) = AsyncStream.makeStream(of: (any Error).self)
    let starts = Heard<Bool>()
    let pedometer = pedometer()
    pedometer.start { [ending = Ending(stream)] _, error in
      if let error { ending.stream.yield(error) }
    } eventUpdates: {
      starts.add($0 == nil)
    }
    await sleeper.waitForSleepers()
    await look()
    try history.tamper("UPDATE minute SET steps = steps + 1; UPDATE whole SET digest = digest + 1")
    sleeper.advance(by: .seconds(1))
    var told = 0
    for await _ in errors { told += 1 }
    #expect(told == 1)
    #expect(starts.all == [true])
    withExtendedLifetime(pedometer) {}
  }

  @Test("pauses and resumptions are reported with the times of the steps")
  func walkingEvents() async throws {
    let writer = try history.writer()
    try history.walk(10, with: writer)
    let heard = Heard<PedometerEvent>()
    let pedometer = pedometer()
    pedometer.startEventUpdates { event, _ in if let event { heard.add(event) } }
    try history.walk(10, with: writer)
    await look()
    #expect(heard.all.isEmpty)
    let end = history.clock.now
    history.clock.pass(9)
    await look()
    #expect(heard.all == [PedometerEvent(date: end, type: .pause)])
    history.clock.pass(30)
    try history.walk(3, with: writer)
    await look()
    #expect(heard.all.last == PedometerEvent(date: end + 39.5, type: .resume))
    #expect(heard.all.count == 2)
    pedometer.stopEventUpdates()
  }

  @Test("without a history there is a reason, also for the floors")
  func unavailable() async {
    let pedometer = pedometer()
    #expect(!pedometer.pedometerAvailable && !pedometer.permissionDeclined)
    for obstacle in [pedometer.obstacle, pedometer.floorObstacle] {
      #expect(obstacle?.contains("start pedometerd") == true)
    }
    await withCheckedContinuation { continuation in
      pedometer.start { _, _ in
        Issue.record("there is nothing to be told")
      } eventUpdates: { error in
        #expect(error is PedometerError)
        continuation.resume()
      }
    }
  }

  @Test("a query has the recorded floors, and updates tell of floors that come after the steps")
  func floors() async throws {
    let writer = try history.writer()
    try history.walkAtOnce(100, with: writer)
    let climb = { (floors: Int) in
      _ = try writer.record(
        [], floors: [WalkedFloors(time: self.history.clock.now, ascended: floors, descended: 0)],
        source: TestHistory.wrist)
    }
    let heard = Heard<[Int?]>()
    let pedometer = pedometer()
    pedometer.startUpdates(from: TestHistory.morning) { data, _ in
      heard.add([data?.steps, data?.floorsAscended, data?.floorsDescended])
    }
    await sleeper.waitForSleepers()
    try climb(0)
    await look()
    try climb(2)
    await look()
    try history.walk(1, with: writer)
    await look()
    #expect(heard.all == [[100, nil, nil], [100, 2, 0], [101, 2, 0]])
    try history.walk(4, with: writer)
    try climb(1)
    await look()
    #expect(heard.all.last == [105, 3, 0])
    pedometer.stopUpdates()
    #expect(try pedometer.query(from: TestHistory.morning, to: history.clock.now + 7200).floorsAscended == 3)
    #expect(pedometer.floorObstacle == nil)
  }

  @Test("with one, all but floors are available, with a reason")
  func capabilities() throws {
    try history.walk(1, with: history.writer())
    let pedometer = pedometer()
    #expect(pedometer.obstacle == nil && pedometer.floorObstacle?.contains("barometer") == true)
  }

  @Test("a query that ends before it begins is an error in the handler")
  func badQuery() throws {
    try history.walk(1, with: history.writer())
    var error: (any Error)?
    pedometer().query(from: TestHistory.morning, to: TestHistory.morning - 1) { _, said in error = said }
    #expect(error is HistoryError)
  }
}
