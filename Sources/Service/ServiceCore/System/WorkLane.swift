import Dispatch
import Synchronization

/// Threads for blocking work (a write that is synced to disk, a traversal of sysfs), outside the cooperative pool.
///
/// Jobs of one client run in order. Waiting clients take turns, so a client with many jobs does not delay one with few.
package final class WorkLane: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State {
    var running = 0
    var waiting = 0
    var jobs: [String: [Job]] = [:]
    /// The clients with queued jobs, in the order of their turns.
    var turns: [String] = []
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let width: Int
  private let longestQueue: Int

  /// - Parameters:
  ///   - name: for debuggers.
  ///   - width: the number of concurrent jobs.
  ///   - longestQueue: the maximum number of queued jobs; more are refused.
  package init(_ name: String, width: Int = 1, longestQueue: Int = .max) {
    queue = DispatchQueue(label: "pedometer.service.\(name)", attributes: .concurrent)
    (self.width, self.longestQueue) = (width, longestQueue)
  }

  /// Runs work on a thread of the lane and returns its result.
  /// - Parameter client: the client of the work.
  /// - Throws: the error of the work; a ``ServiceRefusal`` if the queue is full.
  package func run<Value: Sendable>(
    for client: String = "", _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      if !add(client, { continuation.resume(with: Result { try work() }) }) {
        continuation.resume(throwing: ServiceRefusal(503, "too many pending requests; try again later"))
      }
    }
  }

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

  private func work(_ job: Job) {
    job()
    while let next = next() { next() }
  }

  /// The next job; if none is queued, the thread is released.
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
