import Foundation
import Glibc
import Logging
import ServiceLifecycle
import Testing

@testable import PedometerService
@testable import ServiceHTTP
@testable import ServiceWalkers

/// The service with a fake backend, for external programs: Tests/Trials/ServiceChecks and Tests/Trials/ServiceLoad.
///
/// It runs only if `PEDOMETER_REHEARSAL` names a file; the process ID and the address are written to it when requests
/// are accepted. `PEDOMETER_REHEARSAL_TOKEN`, `_RATE` (lines per second) and `_SIZE` (bytes per line) configure it.
/// SIGTERM ends it.
@Suite(
  "the service for external programs", .enabled(if: RehearsalSettings.file != nil), .timeLimit(.minutes(60)))
struct Rehearsal {
  @Test("serves until it is stopped")
  func serve() async throws {
    let file = try #require(RehearsalSettings.file)
    OpenFiles.raiseLimit()
    var settings = HTTPSettings()
    settings.addresses = [ListenAddress(host: "127.0.0.1", port: 0)]
    settings.token = try RehearsalSettings.text("TOKEN").map { try ServiceToken($0) }
    settings.limits.requestBurst = 1e9
    settings.limits.subscribers = 1500
    let metrics = ServiceMetrics(version: "1.2.3")
    let hub = EventHub(maximumReaders: settings.limits.subscribers, metrics: metrics)
    var logger = Logger(label: "rehearsal")
    logger.logLevel = .warning
    let service = try ServiceApplication(
      backend: FakeBackend().routes, hub: hub, metrics: metrics, settings: settings,
      walkers: WalkerBook(folder: file + ".state"), logger: logger,
      onListening: { addresses in
        try? Data("\(getpid()) \(addresses[0])\n".utf8).write(to: URL(filePath: file))
      })
    let walker = Walker(hub: hub, rate: RehearsalSettings.number("RATE"), size: Int(RehearsalSettings.number("SIZE")))
    try await ServiceGroup(
      configuration: .init(services: [service, walker], gracefulShutdownSignals: [.sigterm], logger: logger)
    ).run()
  }

  /// Publishes steady steps, each with the time of the monotonic clock.
  private struct Walker: Service {
    let hub: EventHub
    let rate: Double
    let size: Int

    func run() async throws {
      await cancelWhenGracefulShutdown {
        guard rate > 0 else {
          try? await gracefulShutdown()
          return
        }
        let padding = String(repeating: "x", count: size)
        let clock = ContinuousClock()
        let start = clock.now
        for step in 1... {
          guard (try? await clock.sleep(until: start + .seconds(Double(step) / rate))) != nil else { return }
          var time = timespec()
          unsafe clock_gettime(CLOCK_MONOTONIC, &time)
          let sent = Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
          hub.publish(
            #"{"type":"step","t":\#(Double(step) / rate),"steps":\#(step),"confirmed":true,"sent":\#(sent),"#
              + #""padding":"\#(padding)"}"#)
        }
      }
    }
  }
}

/// The settings in the environment.
enum RehearsalSettings {
  private static let environment = ProcessInfo.processInfo.environment

  /// The file for the process ID and the address; `nil` if the rehearsal is not enabled.
  static var file: String? { environment["PEDOMETER_REHEARSAL"] }

  static func text(_ name: String) -> String? { environment["PEDOMETER_REHEARSAL_" + name] }

  static func number(_ name: String) -> Double { text(name).flatMap(Double.init) ?? 0 }
}
