// Builds without tests compile this target, too, and have no module Testing.
#if canImport(Testing)
  import Dispatch
  import Foundation
  import Synchronization
  public import Testing

  /// Runs each test on threads of its own, for tests that wait for a program, a pipe or a lock; two at a time for each
  /// processor, so that the programs that they start do not starve each other.
  ///
  /// Swift runs all tasks on as many threads as there are processors. A test that blocks one of them can block the very
  /// task that it waits for: with two processors, two such tests are enough. Tasks that a test starts with `Task { }`
  /// remain on the common threads; child tasks run on those of the test.
  public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil, !Self.holdsTurn else { return try await function() }
      await Self.turns.take()
      defer { Self.turns.giveBack() }
      try await Self.$holdsTurn.withValue(true) {
        try await withTaskExecutorPreference(Executor.shared) { try await function() }
      }
    }

    /// Whether this test has a turn, because the trait of its suite has taken one.
    @TaskLocal private static var holdsTurn = false
    private static let turns = Turns(2 * ProcessInfo.processInfo.activeProcessorCount)

    /// A counting semaphore for tasks, in the order of their arrival.
    private final class Turns: Sendable {
      private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
      }

      private let state: Mutex<State>

      init(_ count: Int) { state = Mutex(State(free: count)) }

      func take() async {
        await withCheckedContinuation { continuation in
          let isFree = state.withLock { state in
            if state.free > 0 {
              state.free -= 1
              return true
            }
            state.waiting.append(continuation)
            return false
          }
          if isFree { continuation.resume() }
        }
      }

      func giveBack() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
          if !state.waiting.isEmpty { return state.waiting.removeFirst() }
          state.free += 1
          return nil
        }
        next?.resume()
      }
    }

    /// A serial queue for each job: the system gives it a thread even if all others are blocked.
    private final class Executor: TaskExecutor {
      static let shared = Executor()

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "pedometer.test").async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
  }

  extension Trait where Self == OwnThreads {
    /// For tests that block their thread.
    public static var ownThreads: OwnThreads { OwnThreads() }
  }
#endif
