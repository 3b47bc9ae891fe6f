import Synchronization

/// A clock that only a test advances, so that no test waits for time to pass.
///
///     let clock = ManualClock()
///     let task = Task { try await clock.sleep(for: .seconds(5)) }
///     await clock.waitForSleepers()
///     clock.advance(by: .seconds(5))
///     try await task.value
public final class ManualClock: Clock, Sendable {
  /// A reading of the clock: the time since its creation.
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

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Sleeper] = []
    /// Sleeps that were cancelled before they started.
    var cancelled: Set<Int> = []
  }

  private let state = Observed(State())

  public init() {}

  /// The time by which the test has advanced it.
  public var now: Instant { state.value.now }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// When the first sleeping task wakes; `nil` if none sleeps.
  public var nextDeadline: Instant? { state.value.sleepers.map(\.deadline).min() }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.value.sleepers.count }

  /// Returns when the clock has reached the deadline; throws `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.update { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Advances the clock and wakes the due tasks, in the order of their deadlines.
  public func advance(by duration: Duration) {
    let woken = state.update { state in
      let now = state.now.advanced(by: duration)
      state.now = now
      let woken = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns when a task sleeps until this instant.
  public func waitForSleeper(until deadline: Instant) async {
    await state.wait { $0.sleepers.contains { $0.deadline == deadline } }
  }

  /// Returns when at least this many tasks sleep, or when this task is cancelled.
  public func waitForSleepers(_ count: Int = 1) async { await state.wait { $0.sleepers.count >= count } }

  /// Returns when no task sleeps, or when this task is cancelled.
  public func waitUntilIdle() async { await state.wait { $0.sleepers.isEmpty } }

  /// Runs `body` with automatic time: whenever a task sleeps, the clock advances to the first deadline.
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

  private enum Outcome {
    case sleeps, awake, cancelled
  }

  private func register(_ sleeper: Sleeper) {
    let outcome: Outcome = state.update { state in
      if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
      if sleeper.deadline <= state.now { return .awake }
      state.sleepers.append(sleeper)
      return .sleeps
    }
    switch outcome {
    case .sleeps: break
    case .awake: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ id: Int) {
    let sleeper: Sleeper? = state.update { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
