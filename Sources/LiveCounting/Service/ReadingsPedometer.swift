import LinuxSensors
import Pedometry
import Synchronization

/// A pedometer over something that has counted already: the founding protocol in front of a running service.
package final class ReadingsPedometer: Pedometer {
  private let readings: any StepReadings
  private let stepLength: StepLengthModel

  private struct Session {
    var number = 0
    var task: Task<Void, Never>?
  }
  private let session = Mutex(Session())

  /// Nothing is opened yet.
  package init(_ readings: any StepReadings, stepLength: StepLengthModel) {
    self.readings = readings
    self.stepLength = stepLength
  }

  deinit { pause() }

  package var pedometerAvailable: Bool { true }
  package var permissionDeclined: Bool { false }

  package func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (readings, walk) = (readings, StepCounterWalk(stepLength: stepLength))
    session.withLock { session in
      session.task?.cancel()
      session.number += 1
      let number = session.number
      session.task = Task { [weak self] in
        let isCurrent = { @Sendable [weak self] in self?.session.withLock { $0.number == number } ?? false }
        await Self.deliver(readings, walk, isCurrent, dataUpdates, eventUpdates)
      }
    }
  }

  package func pause() {
    session.withLock { session in
      session.task?.cancel()
      session.task = nil
      session.number += 1
    }
  }

  private static func deliver(
    _ readings: any StepReadings, _ beginning: StepCounterWalk, _ isCurrent: @Sendable () -> Bool,
    _ dataUpdates: @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    _ eventUpdates: @Sendable ((any Error)?) -> Void
  ) async {
    var (walk, isRunning) = (beginning, false)
    do {
      var iterator = readings.makeReadings()
      while let reading = try await iterator.next(), isCurrent() {
        if !isRunning { eventUpdates(nil) }
        isRunning = true
        let sample = walk.take(reading)
        if reading.newSteps > 0, isCurrent() { dataUpdates(sample, nil) }
      }
    } catch {
      guard isCurrent() else { return }
      let error = PedometerError.sensorLost(reason: "\(error)")
      if isRunning { dataUpdates(nil, error) } else { eventUpdates(error) }
    }
  }
}
