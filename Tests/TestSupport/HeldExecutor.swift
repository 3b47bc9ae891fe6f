import Dispatch

/// Runs the jobs of a task when a test allows it, so that the test decides what happens between two of them.
///
///     let executor = HeldExecutor()
///     let task = Task(executorPreference: executor) { await actor.work() }
///     executor.runJobs()  // until the task waits for something else
///     // …
///     executor.release()
///     await task.value
public final class HeldExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isReleased = false
  }

  private let state = Observed(State())
  private let queue = DispatchQueue(label: "pedometer.test.held")

  /// Holds every job until ``runJobs()`` or ``release()``.
  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.update { $0.jobs.append(job) }
    if state.value.isReleased { queue.async { self.runJobs() } }
  }

  /// Runs the jobs that are held, and those that they enqueue, on this thread.
  public func runJobs() {
    while let job = state.update({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// From now on, runs each job at once, on a serial queue.
  public func release() {
    state.update { $0.isReleased = true }
    queue.async { self.runJobs() }
  }
}
