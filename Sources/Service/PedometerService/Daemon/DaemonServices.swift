import ServiceCore
import ServiceLifecycle

/// Runs each source in its own task.
struct SourceService: Service {
  let runners: [SourceRunner]

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        for runner in runners { group.addTask { await runner.run() } }
        await group.waitForAll()
        // Recordings end, but the service continues.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      }
    }
  }
}

/// Checks once a minute whether a day has ended.
struct DayService: Service {
  let day: DaySummary
  let clock: ServiceClock

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await day.refresh()
        try? await clock.sleep(.seconds(60))
      }
    }
  }
}

/// An event that tasks can wait for, even if it has already happened.
struct ReadySignal: Sendable {
  private let signals: AsyncStream<String>
  private let signal: AsyncStream<String>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func fire(_ detail: String) { signal.yield(detail) }

  /// Returns the detail; `nil` if the task is cancelled.
  func wait() async -> String? { await signals.first { _ in true } }
}

/// Notifies the service manager when everything runs, and when shutdown begins. It is the last service, and so the
/// first to be shut down.
struct ReadyService: Service {
  let notifier: ServiceNotifier
  /// Requests are accepted.
  let listening: ReadySignal

  func run() async throws {
    await cancelWhenGracefulShutdown {
      if let address = await listening.wait() { notifier.ready("listening on \(address)") }
    }
    try? await gracefulShutdown()
    notifier.stopping()
  }
}
