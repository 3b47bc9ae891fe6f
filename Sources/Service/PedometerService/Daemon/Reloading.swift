import Logging
import ServiceLifecycle
import ServiceSettings
import Synchronization

/// Applies a changed configuration while the service runs, as far as that is possible.
final class Reloading: Sendable {
  /// The keys whose changes take effect at once. Sensors, listeners and certificates are opened at the start.
  static let immediate: Set<SettingKey> = Set(SettingKey.mqttKeys).union([.goal, .logLevel])

  /// Applies changed keys.
  /// - Returns: why a change has no effect, by key.
  typealias Apply =
    @Sendable (_ configuration: ServiceConfiguration, _ keys: Set<SettingKey>) -> [SettingKey: String]

  private struct State {
    var present: ServiceConfiguration
    /// Set when the service runs.
    var apply: Apply?
  }

  private let start: GivenSettings
  private let state: Mutex<State>

  init(_ configuration: ServiceConfiguration) {
    start = configuration.given
    state = Mutex(State(present: configuration))
  }

  /// Sets what applies a change.
  func use(_ apply: @escaping Apply) { state.withLock { $0.apply = apply } }

  /// Applies a configuration.
  /// - Returns: a sentence about what is in effect, and what needs a restart.
  func take(_ configuration: ServiceConfiguration) -> String {
    let (changed, apply) = state.withLock { state in
      var changed = configuration.given.keys(differingFrom: state.present.given).intersection(Self.immediate)
      // The content of a file of a setting may have changed as well.
      if configuration.mqtt != state.present.mqtt, changed.isDisjoint(with: SettingKey.mqttKeys) {
        changed.insert(.mqttURL)
      }
      state.present = configuration
      return (changed, state.apply)
    }
    let idle = changed.isEmpty ? [:] : apply?(configuration, changed) ?? [:]
    let later = configuration.given.keys(differingFrom: start).subtracting(Self.immediate)
    let effective = changed.subtracting(idle.keys)
    var parts = effective.isEmpty ? [] : ["in effect: " + Self.list(effective)]
    parts += idle.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue): \($0.value)" }
    if !later.isEmpty { parts.append("after a restart of the service: " + Self.list(later)) }
    return parts.isEmpty
      ? "the configuration has not changed" : "reloaded the configuration; " + parts.joined(separator: "; ")
  }

  private static func list(_ keys: Set<SettingKey>) -> String { keys.map(\.rawValue).sorted().joined(separator: ", ") }
}

/// A part of the service that is replaced when its settings change; `nil` settings: there is no such part.
final class ReplaceablePart<Settings: Sendable>: Service {
  private let changes: AsyncStream<Settings?>
  private let change: AsyncStream<Settings?>.Continuation
  private let make: @Sendable (Settings) throws -> any Service
  private let logger: Logger

  init(_ settings: Settings?, logger: Logger, make: @escaping @Sendable (Settings) throws -> any Service) {
    (self.logger, self.make) = (logger, make)
    (changes, change) = AsyncStream.makeStream()
    change.yield(settings)
  }

  /// Ends the present part in order, and starts another one.
  func replace(with settings: Settings?) { change.yield(settings) }

  func run() async throws {
    var present: (group: ServiceGroup, task: Task<Void, Never>)?
    for await settings in changes.cancelOnGracefulShutdown() {
      if let former = present {
        await former.group.triggerGracefulShutdown()
        await former.task.value
        present = nil
      }
      guard let settings else { continue }
      do {
        let group = ServiceGroup(
          services: [try make(settings)], gracefulShutdownSignals: [], cancellationSignals: [], logger: logger)
        let logger = logger
        present = (group, Task { do { try await group.run() } catch { logger.error("\(error)") } })
      } catch {
        logger.error("\(error)")
      }
    }
    await present?.group.triggerGracefulShutdown()
    await present?.task.value
  }
}
