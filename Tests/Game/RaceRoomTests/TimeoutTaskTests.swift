import RaceRoom
import Synchronization
import TestSupport
import Testing

@Suite("TimeoutTask (T20, X4, X5)", .timeLimit(.minutes(30)))
struct TimeoutTaskTests {
  private struct Broken: Error, Hashable {}

  @Test("T20: work that hangs, and ignores cancellation, ends in a TimeoutError")
  func hanging() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let task = TimeoutTask(timeout: .seconds(10), on: clock) {
      await gate.wait()
    }
    let waiter = Task { try await task.value }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await #expect(throws: TimeoutError(timeout: .seconds(10))) { try await waiter.value }
    gate.open()
  }

  @Test("T20: the work's own error is passed on")
  func error() async {
    let task = TimeoutTask<Int>(timeout: .seconds(3600)) { throw Broken() }
    await #expect(throws: Broken()) { try await task.value }
  }

  @Test("the work runs once, however often its value is awaited")
  func memoised() async throws {
    let runs = Mutex(0)
    let task = TimeoutTask(timeout: .seconds(3600)) {
      runs.withLock {
        $0 += 1
        return $0
      }
    }
    let others = (0..<2).map { _ in Task { try await task.value } }
    #expect(try await task.value == 1)
    for other in others { #expect(try await other.value == 1) }
  }

  @Test("cancelled before it began, it never begins")
  func cancelledBefore() async {
    let runs = Mutex(0)
    let task = TimeoutTask(timeout: .seconds(3600)) { runs.withLock { $0 += 1 } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(runs.withLock { $0 } == 0)
  }

  @Test("cancelling it cancels the work and the timer")
  func cancelsBoth() async {
    let clock = ManualClock()
    let work = ManualClock()
    let task = TimeoutTask(timeout: .seconds(5), on: clock) {
      try await work.sleep(until: work.now.advanced(by: .seconds(1)))
    }
    let waiter = Task { try await task.value }
    await clock.waitForSleepers()
    await work.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    await clock.waitUntilIdle()
    await work.waitUntilIdle()
  }

  @Test("a result cancels the timer")
  func resultCancelsTimer() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let task = TimeoutTask(timeout: .seconds(5), on: clock) {
      await gate.wait()
      return 7
    }
    let waiter = Task { try await task.value }
    await clock.waitForSleepers()
    gate.open()
    #expect(try await waiter.value == 7)
    await clock.waitUntilIdle()
  }

  @Test("X5: a cancelled waiter ends the work, even one that ignores cancellation, for all waiters")
  func outerCancellation() async throws {
    let gate = Gate()
    let task = TimeoutTask(timeout: .seconds(3600)) { await gate.wait() }
    let waiters = (0..<2).map { _ in Task { try await task.value } }
    await gate.waitForWaiter()
    waiters[0].cancel()
    for waiter in waiters { await #expect(throws: CancellationError.self) { try await waiter.value } }
    gate.open()
  }

  @Test("when a waiter is cancelled, so is the work")
  func waiterCancelsWork() async {
    let work = ManualClock()
    let task = TimeoutTask(timeout: .seconds(3600)) { try await work.sleep(until: work.now.advanced(by: .seconds(1))) }
    let waiter = Task { try await task.value }
    await work.waitForSleepers()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    await work.waitUntilIdle()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("T20: 10,000 races between result, error, time-out and cancellation resume each waiter exactly once")
  func races() async {
    // A hundred at a time: one after the other, each would wait for its turn among all other tests.
    let outcomes = await withTaskGroup(of: [String: Int].self) { lanes in
      for lane in 0..<100 {
        lanes.addTask {
          var outcomes: [String: Int] = [:]
          for round in stride(from: lane, to: 10_000, by: 100) {
            for outcome in await Self.race(round) { outcomes[outcome, default: 0] += 1 }
          }
          return outcomes
        }
      }
      return await lanes.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    #expect(outcomes.values.reduce(0, +) == 20_000)
    #expect(outcomes.count == 4, "\(outcomes)")
  }

  /// The outcomes of two waiters for a task that may return, fail, time out or be cancelled.
  private static func race(_ round: Int) async -> [String] {
    let task = TimeoutTask<Int>(
      timeout: .zero,
      sleep: { _ in for _ in 0..<(round % 7) { await Task.yield() } },
      operation: {
        for _ in 0..<(round % 5) { await Task.yield() }
        if round % 2 == 0 { throw Broken() }
        return round
      })
    let waiters = (0..<2).map { _ in Task { try await task.value } }
    let killer = Task {
      for _ in 0..<(round % 3) { await Task.yield() }
      if round % 4 == 0 { task.cancel() }
      if round % 4 == 1 { waiters[0].cancel() }
    }
    var outcomes: [String] = []
    // A waiter that is resumed twice traps; one that is never resumed hangs here.
    for waiter in waiters {
      switch await waiter.result {
      case .success(let value):
        #expect(value == round)
        outcomes.append("result")
      case .failure(is Broken): outcomes.append("error")
      case .failure(is TimeoutError): outcomes.append("time-out")
      case .failure(is CancellationError): outcomes.append("cancelled")
      case .failure(let error): Issue.record(error)
      }
    }
    await killer.value
    return outcomes
  }
}

/// Opens once; waiters pass only then, even if they are cancelled.
private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        defer { state.watchers = [] }
        return (state.isOpen, state.watchers)
      }
      if isOpen { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  func waitForWaiter() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if !state.waiting.isEmpty { return true }
        state.watchers.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

extension TimeoutTask {
  /// A task with the test's clock.
  fileprivate convenience init(
    timeout: Duration, on clock: ManualClock, operation: @escaping @Sendable () async throws -> Success
  ) {
    self.init(
      timeout: timeout, sleep: { try await clock.sleep(until: clock.now.advanced(by: $0)) }, operation: operation)
  }
}
