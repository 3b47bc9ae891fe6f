import Pedometry
import Synchronization

/// Reports once when a goal is reached. It takes any pedometer, so that tests can use a fake.
public final class GoalKeeper: Sendable {
  private let pedometer: any Pedometer
  private let isReached = Mutex(false)

  public init(pedometer: any Pedometer) { self.pedometer = pedometer }

  /// - Returns: whether step counting is available.
  public func start(goal: Int, reached: @escaping @Sendable (Int) -> Void) -> Bool {
    guard pedometer.pedometerAvailable, !pedometer.permissionDeclined else { return false }
    pedometer.start(
      dataUpdates: { [self] data, _ in
        guard let steps = data?.steps, steps >= goal else { return }
        let isFirst = isReached.withLock { isReached in
          defer { isReached = true }
          return !isReached
        }
        if isFirst { reached(steps) }
      }, eventUpdates: { _ in })
    return true
  }
}
