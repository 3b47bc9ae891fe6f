import Accelerometry
import LinuxSensors
import Pedometry
import Synchronization

/// Where a sensor is at present.
package enum SensorPresence: Sendable, Equatable {
  /// There, under this name.
  case there(SourceURI)
  /// There, but not to be read; why.
  case refused(SensorError)
  /// Not there.
  case missing
}

/// A pedometer over one sensor that may be unplugged, moved to another socket, and be forbidden: looked for at each
/// start, its errors in the words of `PedometerError`.
package final class SensorPedometer: ExplainedPedometer {
  private struct State {
    package var session = 0
    package var counting: (any Pedometer)?
    package var lastError: SensorError?
  }

  private let locate: @Sendable () -> SensorPresence
  private let open: @Sendable (SourceURI) throws(SensorError) -> any Pedometer
  private let state = Mutex(State())

  /// Makes a pedometer; nothing is opened yet.
  /// - Parameters:
  ///   - locate: looks for the sensor.
  ///   - open: makes what counts with it; called at each start.
  package init(
    locate: @escaping @Sendable () -> SensorPresence,
    open: @escaping @Sendable (SourceURI) throws(SensorError) -> any Pedometer
  ) {
    self.locate = locate
    self.open = open
  }

  /// What the sensor last failed with since it was started; a pause keeps it, for a failure leads to one.
  package var lastError: SensorError? { state.withLock { $0.lastError } }

  /// A sensor that is refused is available: the start says why it cannot be read.
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
    let session = state.withLock { state in
      state.lastError = nil
      return state.session
    }
    do throws(SensorError) {
      guard case .there(let uri) = locate() else { throw refusal }
      let pedometer = try open(uri)
      state.withLock { $0.counting = pedometer }
      pedometer.start(
        dataUpdates: { [weak self] data, error in dataUpdates(data, error.map { self?.note($0, session) ?? $0 }) },
        eventUpdates: { [weak self] error in eventUpdates(error.map { self?.note($0, session) ?? $0 }) })
    } catch {
      eventUpdates(note(error, session))
    }
  }

  package func pause() {
    let counting = state.withLock { state in
      state.session += 1
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

  /// Keeps an error of this session, and says it in the words that a chase understands.
  private func note(_ error: any Error, _ session: Int) -> any Error {
    guard let error = error as? SensorError else { return error }
    state.withLock { if $0.session == session { $0.lastError = error } }
    return PedometerError(live: error)
  }
}
