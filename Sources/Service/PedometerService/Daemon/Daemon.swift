import Foundation
import History
import LinuxSensors
import LiveSources
import Logging
import Platform
import Presentation
import ServiceCore
import ServiceHTTP
import ServiceLifecycle
import ServiceMessaging
import ServiceSettings
import ServiceWalkers
import WebSocketNetwork

/// The whole service: counts its sources, stores the history, and serves it.
package struct Daemon: Sendable {
  package static var version: String { Version.current }

  private let configuration: ServiceConfiguration
  private let access: Sources
  private let clock: ServiceClock
  private let notifier: ServiceNotifier
  private let environment: [String: String]
  private let logger: Logger
  private var isProcess = false

  /// Creates the service for this machine.
  /// - Parameter environment: the variables of the service manager.
  package init(_ configuration: ServiceConfiguration, environment: [String: String]) {
    let (level, isJournal) = (configuration.logLevel, environment["JOURNAL_STREAM"] != nil)
    let logger = Logger(label: "pedometerd") { _ in StandardErrorLog(logLevel: level, isJournal: isJournal) }
    self.init(
      configuration,
      access: Sources(
        reading: configuration.recordings, options: SensorOptions(use: configuration.reading),
        messages: NIOMessageClient()), clock: .machine,
      notifier: ServiceNotifier(environment: environment), environment: environment, logger: logger)
    isProcess = true
  }

  init(
    _ configuration: ServiceConfiguration, access: Sources, clock: ServiceClock, notifier: ServiceNotifier,
    environment: [String: String], logger: Logger
  ) {
    self.configuration = configuration
    self.access = access
    (self.clock, self.notifier, self.environment, self.logger) = (clock, notifier, environment, logger)
  }

  /// Runs until SIGTERM or SIGINT; pending steps are then decided and stored.
  /// - Throws: ``DaemonFailure``.
  package func run() async throws {
    // A disconnected client must not end the process.
    signal(SIGPIPE, SIG_IGN)
    let parts: DaemonParts
    do {
      parts = try DaemonParts(
        configuration, access: access, clock: clock, notifier: notifier, environment: environment, logger: logger)
    } catch { throw DaemonFailure(error) }
    var group = ServiceGroupConfiguration(
      services: parts.services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    // A slow client must not delay shutdown. What still waits after the deadline cannot be cancelled.
    group.maximumGracefulShutdownDuration = .seconds(3)
    let deadline =
      isProcess
      ? ShutdownDeadline(logger, seals: [{ parts.seal() }, { SensorSessions.stopAll(atMost: .milliseconds(500)) }])
      : nil
    defer {
      SensorSessions.stopAll()
      // Tasks that end later may still reference it.
      parts.seal()
      withExtendedLifetime(deadline) {}
    }
    do {
      try await ServiceGroup(configuration: group).run()
    } catch { throw DaemonFailure(error) }
  }
}

/// Why the service did not start, or ended: one sentence and the exit code.
package struct DaemonFailure: Error, Sendable, CustomStringConvertible {
  package let description: String
  package let status: ExitStatus

  package init(_ error: any Error) {
    description = "\(error)"
    status =
      switch error {
      case let failure as DaemonFailure: failure.status
      case is ConfigurationError: .configuration
      case let error as HistoryError: error.exitStatus
      case let error as ListenFailure: error.exitStatus
      case let error as PeopleError: error.exitStatus
      case let error as StateFileError: error.exitStatus
      default: .io
      }
  }
}

extension ListenFailure {
  fileprivate var exitStatus: ExitStatus {
    switch errno {
    case EADDRINUSE: .busy
    case EACCES: .permission
    default: .configuration
    }
  }
}

extension HistoryError {
  fileprivate var exitStatus: ExitStatus {
    switch code {
    case .held, .busy: .busy
    case .notPermitted: .permission
    case .cannotCreate: .cannotCreate
    default: .io
    }
  }
}
