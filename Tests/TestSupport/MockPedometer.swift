import Pedometry
import Synchronization

/// A mock: notes that it was started and paused, and says what the test tells it to say.
///
/// Samples can be sent in the name of an earlier session too, as a real sensor's thread may do that has not yet seen
/// the pause. The handlers are called on the calling thread: what a chase makes of them does not depend on the thread.
public final class MockPedometer: Pedometer {
  public typealias DataHandler = @Sendable ((any PedometerData)?, (any Error)?) -> Void
  public typealias EventHandler = @Sendable ((any Error)?) -> Void

  /// The user may not read the sensor.
  public static let notAuthorizedError = PedometerError.notAuthorized(remedy: "install the rule")
  /// The sensor has gone.
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

  /// Whether it was started, ever.
  public var started: Bool { startCalled > 0 }
  /// How often it was started.
  public var startCalled: Int { state.withLock { $0.sessions.count } }
  /// How often it was paused.
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
  /// What the event handler gets at each start, and the data handler beside each sample.
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

  /// Calls the data handler of the latest session, or of a given one (0 is the first), with this and ``error``.
  public func sendData(_ data: (any PedometerData)?, session: Int? = nil) {
    guard let (handlers, error) = handlers(session) else { return }
    handlers.data(data, error)
  }

  /// Calls the event handler of the latest session, or of a given one.
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
