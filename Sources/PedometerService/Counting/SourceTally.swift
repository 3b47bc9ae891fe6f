import Pedometry

/// One step as a source counts it, before it has a date.
struct CountedStep: Sendable, Hashable {
  /// When the foot struck, by the service's clock, which never jumps.
  var time: Duration
  /// Metres.
  var distance: Double
  /// The walking time that it owns.
  var activeTime: Duration
}

/// What a source has counted since the service began, over any number of losses.
///
/// Steps are stamped by the sensor's clock; here they get the service's time: a step was as long before its samples'
/// arrival as the sensor says. So a sensor's clock may run as it likes, and begin anew when it was away.
struct SourceTally: Sendable {
  /// Steps so far.
  private(set) var steps = 0
  /// Metres so far.
  private(set) var distance = 0.0
  private let stepLength: StepLengthModel
  private var tracker: WalkTracker

  /// Begins at zero.
  init(stepLength: StepLengthModel) {
    self.stepLength = stepLength
    tracker = WalkTracker(stepLength: stepLength)
  }

  /// The sensor's clock begins anew; the totals stay.
  mutating func reconnect() { tracker = WalkTracker(stepLength: stepLength) }

  /// Takes steps that became certain.
  /// - Parameters:
  ///   - found: by rising time on the sensor's clock.
  ///   - metres: how far they carried together, where a chip knows.
  ///   - latest: the sensor's clock at the latest sample.
  ///   - arrival: the service's time when that sample came.
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
