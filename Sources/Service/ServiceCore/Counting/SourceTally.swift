import Pedometry

/// A step of a source, before it has a date.
package struct CountedStep: Sendable, Hashable {
  /// The time of the foot strike on the service's clock, which never jumps.
  package var time: Duration
  /// Metres.
  package var distance: Double
  /// Its walking time.
  package var activeTime: Duration
}

/// Floors of a source, before they have a date.
package struct CountedFloors: Sendable, Hashable {
  /// When they were complete, on the service's clock.
  package var time: Duration
  /// Up.
  package var ascended: Int
  /// Down.
  package var descended: Int
}

/// The totals of a source since the service started, across any number of losses.
///
/// Steps are stamped by the sensor's clock and converted to the service's time here: the interval between a step and
/// the arrival of its samples is taken from the sensor. So a sensor's clock may be wrong, and restart while the sensor
/// is away.
struct SourceTally: Sendable {
  /// Steps so far.
  private(set) var steps = 0
  /// Metres so far.
  private(set) var distance = 0.0
  private let stepLength: StepLengthModel
  private var tracker: WalkTracker

  /// Starts at zero.
  init(stepLength: StepLengthModel) {
    self.stepLength = stepLength
    tracker = WalkTracker(stepLength: stepLength)
  }

  /// The sensor's clock restarts; the totals stay.
  mutating func reconnect() { tracker = WalkTracker(stepLength: stepLength) }

  /// Adds confirmed steps.
  /// - Parameters:
  ///   - found: in order of time on the sensor's clock.
  ///   - metres: their distance, if a hardware step counter measured it.
  ///   - latest: the sensor's clock at the latest sample.
  ///   - arrival: the service's time when that sample arrived.
  /// - Returns: the same steps in the service's time.
  mutating func take(_ found: [Step], metres: Double? = nil, latest: Duration, arrival: Duration) -> [CountedStep] {
    var walked: [CountedStep] = []
    walked.reserveCapacity(found.count)
    for step in found {
      let before = (distance: tracker.distanceTravelled, active: tracker.walkingDuration)
      tracker.record(step)
      let length = metres.map { $0 / Double(found.count) } ?? (tracker.distanceTravelled - before.distance)
      steps += 1
      distance += length
      walked.append(
        CountedStep(
          time: arrival - max(.zero, latest - step.timestamp), distance: length,
          activeTime: tracker.walkingDuration - before.active))
    }
    return walked
  }
}
