import Synchronization

/// A clock that stands still until a test moves it, so that nothing that waits has to be waited for.
///
///     let clock = ManualClock()
///     let task = Task { try await clock.sleep(for: .seconds(5)) }
///     await clock.waitForSleepers()
///     clock.advance(by: .seconds(5))
///     try await task.value
public final class ManualClock: Clock, Sendable {
  /// A reading of the clock: the time since it was made.
  public struct Instant: InstantProtocol {
    public var offset: Duration

    public init(offset: Duration = .zero) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    var id: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    var id: Int
    var count: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// Those who were cancelled before they were registered.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  public init() {}

  /// The time that the test has let pass.
  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// When the first of those who sleep wakes; `nil` when nobody sleeps.
  public var nextDeadline: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  /// How many sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Returns when the clock has reached the deadline; throws `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = newID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the clock and wakes, in the order of their deadlines, those whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns as soon as at least so many sleep, or when the task is cancelled.
  public func waitForSleepers(_ count: Int = 1) async {
    let id = newID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSatisfied = state.withLock { state in
          if state.cancelled.remove(id) != nil || state.sleepers.count >= count { return true }
          state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
          return false
        }
        if isSatisfied { continuation.resume() }
      }
    } onCancel: {
      let watcher: Watcher? = state.withLock { state in
        guard let index = state.watchers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.watchers.remove(at: index)
      }
      watcher?.continuation.resume()
    }
  }

  /// Lets time fly while `body` runs: whenever somebody sleeps, the clock moves on to the first deadline.
  public func flying<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    let pump = Task {
      while !Task.isCancelled {
        await waitForSleepers()
        if let deadline = nextDeadline { advance(by: now.duration(to: deadline)) }
      }
    }
    defer { pump.cancel() }
    return try await body()
  }

  private func newID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  private enum Outcome {
    case sleeps([Watcher])
    case awake, cancelled
  }

  private func register(_ sleeper: Sleeper) {
    let outcome: Outcome = state.withLock { state in
      if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
      if sleeper.deadline <= state.now { return .awake }
      state.sleepers.append(sleeper)
      let count = state.sleepers.count
      let satisfied = state.watchers.filter { $0.count <= count }
      state.watchers.removeAll { $0.count <= count }
      return .sleeps(satisfied)
    }
    switch outcome {
    case .sleeps(let watchers): for watcher in watchers { watcher.continuation.resume() }
    case .awake: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ id: Int) {
    let sleeper: Sleeper? = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
