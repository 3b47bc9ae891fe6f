import Foundation
import Glibc
import History
import LinuxSensors
import LiveSources
import Logging
import Presentation
import ServiceLifecycle

/// The service as a whole: counts its sources, keeps what was walked, and serves it.
package struct Daemon: Sendable {
  /// What `--version` says.
  package static var version: String { Version.current }

  private let configuration: ServiceConfiguration
  private let access: SourceAccess
  private let clock: ServiceClock
  private let notifier: ServiceNotifier
  private let environment: [String: String]
  private let logger: Logger

  /// A service for this machine.
  /// - Parameter environment: the service manager speaks through it.
  package init(_ configuration: ServiceConfiguration, environment: [String: String]) {
    let (level, isJournal) = (configuration.logLevel, environment["JOURNAL_STREAM"] != nil)
    let logger = Logger(label: "pedometerd") { _ in StandardErrorLog(level: level, isJournal: isJournal) }
    self.init(
      configuration, access: .machine(use: configuration.reading, reading: configuration.recordings), clock: .machine,
      notifier: ServiceNotifier(environment: environment), environment: environment, logger: logger)
  }

  init(
    _ configuration: ServiceConfiguration, access: SourceAccess, clock: ServiceClock, notifier: ServiceNotifier,
    environment: [String: String], logger: Logger
  ) {
    self.configuration = configuration
    self.access = access
    self.clock = clock
    self.notifier = notifier
    self.environment = environment
    self.logger = logger
  }

  /// Serves until SIGTERM or SIGINT; what is open then is decided and kept.
  /// - Throws: ``DaemonFailure``.
  package func run() async throws {
    // A client that goes away is an answer, no reason to die.
    signal(SIGPIPE, SIG_IGN)
    let parts: DaemonParts
    do {
      parts = try DaemonParts(
        configuration, access: access, clock: clock, notifier: notifier, environment: environment, logger: logger)
    } catch {
      throw DaemonFailure(error)
    }
    var group = ServiceGroupConfiguration(
      services: parts.services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    // A client that reads slowly must not hold up the end; the manager waits ninety seconds.
    group.maximumGracefulShutdownDuration = .seconds(15)
    defer {
      SensorSessions.stopAll()
      // Tasks that end later may still hold it.
      parts.writer.close()
    }
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      throw DaemonFailure(error)
    }
  }
}

/// Why the service did not start, or ended: one sentence and the exit code.
package struct DaemonFailure: Error, Sendable, CustomStringConvertible {
  package let description: String
  package let status: ExitStatus

  init(_ error: any Error) {
    description = "\(error)"
    status =
      switch error {
      case let failure as DaemonFailure: failure.status
      case is ConfigurationError, is SettingsError: .configuration
      case let error as HistoryError: error.exitStatus
      case let error as ListenFailure: error.exitStatus
      default: .io
      }
  }
}

extension ListenFailure {
  /// The exit code for this kind of trouble.
  fileprivate var exitStatus: ExitStatus {
    switch errno {
    case EADDRINUSE: .busy
    case EACCES: .permission
    default: .configuration
    }
  }
}

extension HistoryError {
  /// The exit code for this kind of trouble.
  fileprivate var exitStatus: ExitStatus {
    switch code {
    case .held, .busy: .busy
    case .notPermitted: .permission
    case .cannotCreate: .cannotCreate
    default: .io
    }
  }
}
