import Foundation
import History
import Pedometry
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore

/// A store that fails a given number of times.
final class ScriptedStore: Sendable {
  struct Refusal: Error {}
  private struct State {
    var refusals: Int
    var steps: [WalkedStep] = []
    var floors: [WalkedFloors] = []
    var writes = 0
  }
  private let state: Mutex<State>
  init(refusals: Int = 0) { state = Mutex(State(refusals: refusals)) }

  var steps: [WalkedStep] { state.withLock { $0.steps } }
  var floors: [WalkedFloors] { state.withLock { $0.floors } }
  var writes: Int { state.withLock { $0.writes } }

  func keep(_ steps: [WalkedStep], _ floors: [WalkedFloors], of source: HistorySource) throws {
    try state.withLock { state in
      if state.refusals > 0 {
        state.refusals -= 1
        throw Refusal()
      }
      state.steps += steps
      state.floors += floors
      state.writes += 1
    }
  }
}

@Suite("Step recorder", .timeLimit(.minutes(30)))
struct StepRecorderTests {
  let clock = ManualClock()
  let source = HistorySource(identity: "a", name: "a sensor")

  private static func steps(_ times: Int...) -> [Step] {
    times.map { Step(timestamp: .seconds(1000) + .milliseconds($0)) }
  }

  private func run(_ recorder: StepRecorder) -> Task<Void, any Error> { Task { try await recorder.run() } }

  @Test("steps get their wall time from the clock as it is set when they are written")
  func dates() async throws {
    let store = ScriptedStore()
    let shared = SharedWall()
    var service = ServiceClock.manual(clock)
    service.now = { shared.date.withLock { $0 } }
    let recorder = StepRecorder(store.keep, clock: service, logger: .silent)
    clock.advance(by: .seconds(10))
    recorder.add(Self.steps(7000), source: source)
    // The clock is set before they are written.
    shared.date.withLock { $0 = Date(timeIntervalSince1970: 9000) }
    #expect(await recorder.flush())
    #expect(store.steps.map(\.time) == [Date(timeIntervalSince1970: 8997)])
  }

  private final class SharedWall: Sendable {
    let date = Mutex(Date(timeIntervalSince1970: 500))
  }

  @Test("floors are written with the steps around them, all or nothing, at their own time")
  func floors() async throws {
    let store = ScriptedStore(refusals: 1)
    let recorder = StepRecorder(store.keep, clock: .manual(clock), logger: .silent)
    clock.advance(by: .seconds(60))
    recorder.add(Self.steps(50_000), source: source)
    let climbed = CountedFloors(time: .seconds(1036), ascended: 2, descended: 1)
    recorder.add(floors: [climbed], source: source)
    recorder.add(Self.steps(51_000), source: source)
    #expect(await !recorder.flush())
    #expect(store.floors.isEmpty && store.steps.isEmpty)
    #expect(await recorder.flush())
    #expect(store.writes == 1 && store.steps.count == 2)
    let time = Date(timeIntervalSince1970: 1_795_000_036)
    #expect(store.floors == [WalkedFloors(time: time, ascended: 2, descended: 1)])
  }

  @Test("the time until a step is safe counts from the first queued step, failed writes included")
  func delay() async throws {
    let store = ScriptedStore(refusals: 1)
    let delays = Mutex<[Duration]>([])
    let recorder = StepRecorder(
      store.keep, clock: .manual(clock), logger: .silent, measured: { delay in delays.withLock { $0.append(delay) } })
    recorder.add(Self.steps(0), source: source)
    clock.advance(by: .milliseconds(700))
    recorder.add(Self.steps(500), source: source)
    #expect(await !recorder.flush())
    #expect(delays.withLock { $0 } == [])
    clock.advance(by: .milliseconds(1300))
    recorder.add(Self.steps(1900), source: source)
    #expect(await recorder.flush())
    #expect(delays.withLock { $0 } == [.seconds(2)])
    recorder.add(Self.steps(2100), source: source)
    #expect(await recorder.flush())
    #expect(delays.withLock { $0 } == [.seconds(2), .zero])
  }

  @Test("the first steps are written at once, later ones once a second, and the rest at the end")
  func rhythm() async throws {
    let store = ScriptedStore()
    let (writes, wrote) = AsyncStream.makeStream(of: Int.self)
    let recorder = StepRecorder(store.keep, clock: .manual(clock), logger: .silent) { wrote.yield(store.steps.count) }
    let task = run(recorder)
    var counts = writes.makeAsyncIterator()
    recorder.add(Self.steps(0, 500), source: source)
    #expect(await counts.next() == 2)
    await clock.waitForSleepers()
    recorder.add(Self.steps(1000), source: source)
    recorder.add(Self.steps(1500), source: source)
    #expect(store.steps.count == 2)
    clock.advance(by: StepRecorder.rhythm)
    #expect(await counts.next() == 4)
    await clock.waitForSleepers()
    recorder.add(Self.steps(2000), source: source)
    task.cancel()
    try await task.value
    #expect(store.steps.count == 5)
  }

  @Test("steps that cannot be written are queued, and neither lost nor written twice")
  func refusal() async throws {
    let store = ScriptedStore(refusals: 2)
    let (writes, wrote) = AsyncStream.makeStream(of: Int.self)
    let recorder = StepRecorder(store.keep, clock: .manual(clock), logger: .silent) { wrote.yield(store.steps.count) }
    let task = run(recorder)
    recorder.add(Self.steps(0, 500), source: source)
    await clock.waitForSleepers()
    #expect(recorder.failure != nil)
    recorder.add(Self.steps(1000), source: source)
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    var counts = writes.makeAsyncIterator()
    #expect(await counts.next() == 3)
    #expect(store.steps.map(\.time) == store.steps.map(\.time).sorted())
    #expect(recorder.failure == nil)
    task.cancel()
    try await task.value
    #expect(store.steps.count == 3)
  }

  @Test("steps that cannot be written at the end are named in the log")
  func unwritten() async throws {
    let log = LogLines()
    let recorder = StepRecorder(ScriptedStore(refusals: 99).keep, clock: .manual(clock), logger: log.logger)
    let task = run(recorder)
    recorder.add(Self.steps(0, 500), source: source)
    await clock.waitForSleepers()
    recorder.add(Self.steps(1000), source: source)
    task.cancel()
    try await task.value
    #expect(log.all.last?.contains("3 steps could not be written to the history: ") == true, "\(log.all)")
  }
}
