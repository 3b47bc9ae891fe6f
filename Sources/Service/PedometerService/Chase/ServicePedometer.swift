import Pedometry
import ServiceCore
import Synchronization

/// The steps of this service as a pedometer, for a chase.
///
/// Sensors on the same walker must not double the walk: the source that has counted the most since the start is used.
final class ServicePedometer: Pedometer {
  private struct State {
    var dataUpdates: (@Sendable ((any PedometerData)?, (any Error)?) -> Void)?
    var eventUpdates: (@Sendable ((any Error)?) -> Void)?
    var walks: [String: (steps: Int, distance: Double)] = [:]
    var told = 0
  }

  private let state = Mutex(State())
  private let states: @Sendable () -> [SourceState]

  init(states: @escaping @Sendable () -> [SourceState]) { self.states = states }

  var pedometerAvailable: Bool { states().contains { $0.state == .counting || $0.state == .denied } }

  var permissionDeclined: Bool {
    let states = states()
    return !states.contains { $0.state == .counting } && states.contains { $0.state == .denied }
  }

  func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    state.withLock { $0 = State(dataUpdates: dataUpdates, eventUpdates: eventUpdates) }
    eventUpdates(nil)
  }

  func pause() { state.withLock { $0 = State() } }

  func walked(_ steps: Int, distance: Double, source: String) {
    let (handler, sample) = state.withLock { state in
      guard state.dataUpdates != nil else { return (state.dataUpdates, WalkTotals?.none) }
      let former = state.walks[source] ?? (0, 0)
      let walk = (steps: former.steps + steps, distance: former.distance + distance)
      state.walks[source] = walk
      guard walk.steps > state.told else { return (nil, nil) }
      state.told = walk.steps
      let farthest = state.walks.values.map(\.distance).max() ?? walk.distance
      return (state.dataUpdates, WalkTotals(steps: walk.steps, distanceTravelled: farthest))
    }
    if let sample { handler?(sample, nil) }
  }

  /// A source was lost; if it was the last one, Nessie must stop.
  func sourceLost(_ reason: String) {
    if states().contains(where: { $0.state == .counting }) { return }
    state.withLock { $0.eventUpdates }?(PedometerError.sensorLost(reason: reason))
  }
}
