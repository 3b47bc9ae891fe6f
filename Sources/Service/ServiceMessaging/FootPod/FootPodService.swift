import Foundation
import JSONLines
import LinuxSensors
import Logging
import Platform
import Presentation
import ServiceCore
import ServiceLifecycle
import ServiceSettings
import Synchronization

/// Makes this computer a Bluetooth foot pod, which reports the walker's cadence, speed and distance.
package struct FootPodService: Service {
  let settings: FootPodSettings
  let machine: SensorEnvironment
  let clock: ServiceClock
  /// The time between two measurements.
  let interval: Duration
  /// The present states of the sources.
  let sources: @Sendable () -> [SourceState]
  let status: FootPodStatus
  let logger: Logger

  /// An advertisement that lasts this long resets the back-off.
  static let calm = Duration.seconds(60)

  package init(
    _ settings: FootPodSettings, in machine: SensorEnvironment = .machine, clock: ServiceClock,
    interval: Duration = .seconds(1), status: FootPodStatus, logger: Logger,
    sources: @escaping @Sendable () -> [SourceState]
  ) {
    (self.settings, self.machine, self.clock, self.interval) = (settings, machine, clock, interval)
    (self.sources, self.status, self.logger) = (sources, status, logger)
  }

  /// Runs until the service ends. Without BlueZ or an adapter, it tries again with exponential back-off.
  package func run() async throws {
    let stop = try StopSignal()
    let attempts = FootPodAttempts(settings, in: machine)
    let pace = Mutex(FootPodPace())
    status.set(.starting)
    defer { status.set(nil) }
    await cancelWhenGracefulShutdown {
      var backoff = Backoff()
      // Each loss is told once.
      let told = Mutex<SensorError?>(nil)
      while !Task.isCancelled {
        let start = clock.elapsed()
        let obstacle = await attempts.run(
          every: interval, until: stop,
          ready: { adapter in
            status.set(.advertised(adapter))
            told.withLock { $0 = nil }
            logger.notice("foot pod: \(adapter) advertises \(FootPod.name)")
          },
          measure: { pace.withLock { $0.measurement(of: sources(), at: clock.elapsed()) } })
        guard !Task.isCancelled, let obstacle else { return }
        let isNew = told.withLock { $0.changes(to: obstacle) }
        if isNew { logger.warning("foot pod: \(obstacle); trying again") }
        status.set(.hindered(obstacle))
        if clock.elapsed() - start >= Self.calm { backoff.reset() }
        try? await clock.sleep(backoff.next())
      }
    }
  }
}

/// Runs a foot pod on a thread of its own, one attempt after the other.
private final class FootPodAttempts: Sendable {
  private let pod: Mutex<FootPod>

  init(_ settings: FootPodSettings, in machine: SensorEnvironment) {
    pod = Mutex(FootPod(adapter: settings.adapter, in: machine))
  }

  /// Returns why the foot pod is not offered any more; `nil` if it was stopped, as by cancelling the task.
  func run(
    every interval: Duration, until stop: StopSignal, ready: @escaping @Sendable (String) -> Void,
    measure: @escaping @Sendable () -> RunningSpeedCadence
  ) async -> SensorError? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let obstacle = self.pod.withLock { pod -> SensorError? in
            do throws(SensorError) {
              try pod.serve(every: interval, until: stop, ready: ready, measure: measure)
              return nil
            } catch { return error }
          }
          continuation.resume(returning: obstacle)
        }
      }
    } onCancel: {
      stop.raise()
    }
  }
}

/// The setting of the foot pod.
package struct FootPodSettings: Sendable, Hashable {
  /// A name such as `hci0`, or an address; `nil`: the first adapter that can be used.
  var adapter: String?

  /// Reads the setting; `nil` without a foot pod.
  package init?(_ given: GivenSettings) throws(ConfigurationError) {
    guard let text = given[.footPod].first else { return nil }
    switch text.text {
    case "off", "false": return nil
    case "on", "true": adapter = nil
    default:
      let isName = text.text.hasPrefix("hci") && Int(text.text.dropFirst(3)).map { $0 >= 0 } ?? false
      let octets = text.text.split(separator: ":", omittingEmptySubsequences: false)
      let isAddress = octets.count == 6 && octets.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
      guard isName || isAddress else {
        throw ConfigurationError(
          "'\(text.text)' is neither on, off nor a Bluetooth adapter; write on, or an adapter such as hci0",
          at: text.place)
      }
      adapter = text.text
    }
  }
}

/// Whether the foot pod is offered; for the service's state.
package final class FootPodStatus: Sendable {
  package enum State: Sendable, Hashable {
    case starting
    /// By this adapter.
    case advertised(String)
    case hindered(SensorError)
  }

  private let present = Mutex<State?>(nil)

  package init() {}

  func set(_ state: State?) { present.withLock { $0 = state } }

  /// `nil` without a foot pod.
  package var state: State? { present.withLock { $0 } }

  /// For /health; `nil` without a foot pod.
  package var json: String? {
    guard let state else { return nil }
    var line = JSONLine()
    switch state {
    case .starting: line.add("state", "starting")
    case .advertised(let adapter):
      line.add("state", "advertised")
      line.add("adapter", adapter)
    case .hindered(let error):
      line.add("state", "hindered")
      line.add("reason", error.reason)
      line.add("remedy", error.remedy)
    }
    return line.object
  }

  /// For /api/checks; `nil` without a foot pod.
  package var check: HealthCheck? {
    let name = "foot pod"
    return switch state {
    case nil, .starting: nil
    case .advertised(let adapter): .ok(name, "\(adapter) advertises \(FootPod.name)")
    case .hindered(let error): .warning(name, error.reason, remedy: error.remedy)
    }
  }
}
