// Builds without tests compile this target, too, and have no module Testing.
#if canImport(Testing)
  import Dispatch
  public import Testing

  /// Runs each test on threads of its own, for tests that wait for a program, a pipe or a lock.
  ///
  /// Swift runs all tasks on as many threads as there are processors. A test that blocks one of them can block the very
  /// task that it waits for: with two processors, two such tests are enough. Tasks that a test starts with `Task { }`
  /// remain on the common threads; child tasks run on those of the test.
  public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      try await withTaskExecutorPreference(Executor.shared) { try await function() }
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
