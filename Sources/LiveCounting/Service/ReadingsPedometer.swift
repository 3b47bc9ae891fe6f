import LinuxSensors
import Pedometry

/// A pedometer over something that has counted already: the founding protocol in front of a running service.
package final class ReadingsPedometer: Pedometer {
  private let readings: any StepReadings
  private let stepLength: StepLengthModel
  private let session = UpdateSession()

  /// Nothing is opened yet.
  package init(_ readings: any StepReadings, stepLength: StepLengthModel) {
    self.readings = readings
    self.stepLength = stepLength
  }

  package var pedometerAvailable: Bool { true }
  package var permissionDeclined: Bool { false }

  package func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let stepLength = stepLength
    session.deliver(
      readings,
      totals: {
        var walk = StepCounterWalk(stepLength: stepLength)
        return { walk.take($0) }
      }, explain: { PedometerError.sensorLost(reason: "\($0)") }, dataUpdates: dataUpdates, eventUpdates: eventUpdates)
  }

  package func pause() { session.stop() }
}
