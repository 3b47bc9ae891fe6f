import Pedometry
import Synchronization

/// A mock that records starts and pauses, and sends what the test specifies.
///
/// Samples can also be sent on behalf of an earlier session, like a real sensor's thread that has not noticed the pause
/// yet. The handlers are called on the calling thread: the chase does not depend on the thread.
public final class MockPedometer: Pedometer {
  public typealias DataHandler = @Sendable ((any PedometerData)?, (any Error)?) -> Void
  public typealias EventHandler = @Sendable ((any Error)?) -> Void

  /// The user may not read the sensor.
  public static let notAuthorizedError = PedometerError.notAuthorized(remedy: "install the rule")
  /// The sensor was removed.
  public static let dataError = PedometerError.sensorLost(reason: "no such device")

  private struct State {
    var available = true
    var declined = false
    var error: (any Error)?
    var pauseCalled = 0
    var isRunning = false
    var sessions: [(data: DataHandler, events: EventHandler)] = []
  }
  private let state = Mutex(State())

  public init() {}

  /// Whether it was ever started.
  public var started: Bool { startCalled > 0 }
  /// The number of starts.
  public var startCalled: Int { state.withLock { $0.sessions.count } }
  /// The number of pauses.
  public var pauseCalled: Int { state.withLock { $0.pauseCalled } }
  /// Whether it was started and not paused since.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  public var pedometerAvailable: Bool {
    get { state.withLock { $0.available } }
    set { state.withLock { $0.available = newValue } }
  }
  public var permissionDeclined: Bool {
    get { state.withLock { $0.declined } }
    set { state.withLock { $0.declined = newValue } }
  }
  /// The arguments for the event handler at each start, and for the data handler with each sample.
  public var error: (any Error)? {
    get { state.withLock { $0.error } }
    set { state.withLock { $0.error = newValue } }
  }

  public func start(dataUpdates: @escaping DataHandler, eventUpdates: @escaping EventHandler) {
    let error = state.withLock { state in
      state.sessions.append((dataUpdates, eventUpdates))
      state.isRunning = true
      return state.error
    }
    eventUpdates(error)
  }

  public func pause() {
    state.withLock { state in
      state.pauseCalled += 1
      state.isRunning = false
    }
  }

  /// Calls the data handler of the latest or a given session (0 is the first) with this and ``error``.
  public func sendData(_ data: (any PedometerData)?, session: Int? = nil) {
    guard let (handlers, error) = handlers(session) else { return }
    handlers.data(data, error)
  }

  /// Calls the event handler of the latest or a given session.
  public func sendEvent(_ error: (any Error)?, session: Int? = nil) {
    handlers(session)?.handlers.events(error)
  }

  private func handlers(_ session: Int?) -> (handlers: (data: DataHandler, events: EventHandler), error: (any Error)?)?
  {
    state.withLock { state in
      let index = session ?? state.sessions.count - 1
      return state.sessions.indices.contains(index) ? (state.sessions[index], state.error) : nil
    }
  }
}
