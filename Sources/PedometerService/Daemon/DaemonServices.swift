import ServiceLifecycle
import Synchronization

/// The sources' accounts, for parts that are created before them.
final class SourceRegistry: Sendable {
  private let list = Mutex<[SourceAccount]>([])

  var accounts: [SourceAccount] {
    get { list.withLock { $0 } }
    set { list.withLock { $0 = newValue } }
  }

  /// Adds one that has come just now.
  func add(_ account: SourceAccount) { list.withLock { $0.append(account) } }

  /// How each source is.
  var states: [SourceState] { accounts.map(\.state) }
}

/// Runs the sources, each on a task of its own.
struct SourceService: Service {
  let runners: [SourceRunner]

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        for runner in runners { group.addTask { await runner.run() } }
        await group.waitForAll()
        // Recordings end; the service goes on.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      }
    }
  }
}

/// Looks once a minute whether a day has ended.
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

/// An event that tasks wait for; it may happen before they wait.
struct ReadySignal: Sendable {
  private let signals: AsyncStream<String>
  private let signal: AsyncStream<String>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// - Parameter detail: for people.
  func fire(_ detail: String) { signal.yield(detail) }

  /// Returns what it was fired with; `nil` when the task is cancelled.
  func wait() async -> String? { await signals.first { _ in true } }
}

/// Tells the service manager when everything runs, and when the end begins. The last of the services, hence the first
/// to hear of the end.
struct ReadyService: Service {
  let notifier: ServiceNotifier
  /// Requests can come.
  let listening: ReadySignal

  func run() async throws {
    await cancelWhenGracefulShutdown {
      if let address = await listening.wait() { notifier.ready("listening on \(address)") }
    }
    try? await gracefulShutdown()
    notifier.stopping()
  }
}
