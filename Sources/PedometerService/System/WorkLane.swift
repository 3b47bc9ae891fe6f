import Dispatch
import Synchronization

/// Threads for work that blocks (a write that reaches the disk, a walk through sysfs), outside the cooperative pool.
///
/// Jobs of one client run in their order. Where several clients wait, each gets its turn, so one that asks for much does not
/// hold up one that asks for little.
final class WorkLane: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State {
    var running = 0
    var waiting = 0
    /// The jobs that wait, by client.
    var jobs: [String: [Job]] = [:]
    /// The clients whose jobs wait, in the order of their turns.
    var turns: [String] = []
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let width: Int
  private let longestQueue: Int

  /// - Parameters:
  ///   - name: for debuggers.
  ///   - width: how many jobs run at the same time.
  ///   - longestQueue: how many jobs may wait; more are refused.
  init(_ name: String, width: Int = 1, longestQueue: Int = .max) {
    queue = DispatchQueue(label: "pedometer.service.\(name)", attributes: .concurrent)
    self.width = width
    self.longestQueue = longestQueue
  }

  /// Runs work on a thread of the lane and returns what it returns.
  /// - Parameter client: whose work it is.
  /// - Throws: what the work throws; a ``ServiceRefusal`` when too many jobs wait already.
  func run<Value: Sendable>(
    for client: String = "", _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      if !add(client, { continuation.resume(with: Result { try work() }) }) {
        continuation.resume(
          throwing: ServiceRefusal(status: 503, reason: "too many pending requests; try again later"))
      }
    }
  }

  /// How many jobs wait for a thread.
  var waiting: Int { state.withLock { $0.waiting } }

  /// Adds a job; returns at once.
  /// - Returns: whether there was room for it.
  func add(_ client: String, _ job: @escaping Job) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      if state.running < width {
        state.running += 1
        return (true, true)
      }
      if state.waiting >= longestQueue { return (false, false) }
      state.waiting += 1
      if state.jobs[client] == nil { state.turns.append(client) }
      state.jobs[client, default: []].append(job)
      return (true, false)
    }
    if isFirst { queue.async { self.work(job) } }
    return isTaken
  }

  /// Does a job, then those that wait.
  private func work(_ job: Job) {
    job()
    while let next = next() { next() }
  }

  /// The next job; where none waits, the thread is given back.
  private func next() -> Job? {
    state.withLock { state in
      guard let client = state.turns.first, let job = state.jobs[client]?.removeFirst() else {
        state.running -= 1
        return nil
      }
      state.waiting -= 1
      state.turns.removeFirst()
      if state.jobs[client]?.isEmpty == true {
        state.jobs[client] = nil
      } else {
        state.turns.append(client)
      }
      return job
    }
  }
}
