import LinuxSensors
import Pedometry
import SourceNames
import Synchronization

/// The presence of a sensor.
package enum SensorPresence: Sendable, Equatable {
  /// Present, with this name.
  case there(SourceURI)
  /// Present, but not readable, for this reason.
  case refused(SensorError)
  /// Not present.
  case missing
}

/// A pedometer for a sensor that may be unplugged, moved to another port, or not permitted. It searches for the sensor
/// at each start and reports `PedometerError`s.
///
/// The opened pedometer drives the session, and calls no handler after its pause.
package final class SensorPedometer: ExplainedPedometer {
  /// The last error of one session. Each start makes a new one, so a late error of an earlier session does not count.
  private final class Failure: Sendable {
    let error = Mutex<SensorError?>(nil)
  }

  private struct State {
    var counting: (any Pedometer)?
    var failure = Failure()
  }

  private let locate: @Sendable () -> SensorPresence
  private let open: @Sendable (SourceURI) throws(SensorError) -> any Pedometer
  private let state = Mutex(State())

  /// Creates a pedometer; nothing is opened yet.
  /// - Parameters:
  ///   - locate: searches for the sensor.
  ///   - open: creates the pedometer that counts with it; called at each start.
  package init(
    locate: @escaping @Sendable () -> SensorPresence,
    open: @escaping @Sendable (SourceURI) throws(SensorError) -> any Pedometer
  ) {
    self.locate = locate
    self.open = open
  }

  /// The sensor's last error since the start. A pause keeps it, because errors cause pauses.
  package var lastError: SensorError? { state.withLock { $0.failure }.error.withLock { $0 } }

  /// A refused sensor is available: starting it reports the reason.
  package var pedometerAvailable: Bool { locate() != .missing }

  package var permissionDeclined: Bool {
    if case .refused(let error) = locate() { error.kind == .permission } else { false }
  }

  package var obstacle: String? {
    switch locate() {
    case .there: nil
    case .refused(let error): "\(error)"
    case .missing: "\(Self.absence)"
    }
  }

  package func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    pause()
    let failure = Failure()
    state.withLock { $0.failure = failure }
    do throws(SensorError) {
      guard case .there(let uri) = locate() else { throw refusal }
      let pedometer = try open(uri)
      state.withLock { $0.counting = pedometer }
      pedometer.start(
        dataUpdates: { data, error in dataUpdates(data, error.map { Self.note($0, failure) }) },
        eventUpdates: { error in eventUpdates(error.map { Self.note($0, failure) }) })
    } catch {
      eventUpdates(Self.note(error, failure))
    }
  }

  package func pause() {
    let counting = state.withLock { state in
      defer { state.counting = nil }
      return state.counting
    }
    counting?.pause()
  }

  private var refusal: SensorError {
    if case .refused(let error) = locate() { return error }
    return Self.absence
  }

  private static let absence = SensorError.notFound(name: "the sensor", remedy: "plug it in again")

  /// Stores an error of a session, and converts it to a `PedometerError`.
  private static func note(_ error: any Error, _ failure: Failure) -> any Error {
    guard let error = error as? SensorError else { return error }
    failure.error.withLock { $0 = error }
    return PedometerError(live: error)
  }
}
