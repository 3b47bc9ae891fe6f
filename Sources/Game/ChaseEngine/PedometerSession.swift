import Pedometry

/// When an update counts.
public enum UpdateTiming: Sendable, Hashable {
  /// At its time on the sensor's clock, if it has one (`WalkTotals.elapsed` above zero): for replays, synthetic walks
  /// and tests, where the same walk has to give the same chase.
  case sensorClock
  /// When the owner received it: for a live sensor, whose clock may drift from the owner's.
  case arrival
}

/// One session of a pedometer, from its start to its pause. Its updates are totals; this computes their
/// growth.
struct PedometerSession {
  /// The number of the session; updates of others are ignored.
  let number: Int
  /// Its beginning, in the owner's time.
  let beginning: Duration

  private var steps = 0
  private var distance = 0.0

  init(number: Int, beginning: Duration) { (self.number, self.beginning) = (number, beginning) }

  /// The excess of an update over the largest totals so far. An update below them, which the protocol rules out, adds
  /// nothing, and neither does its recovery.
  mutating func growth(to data: any PedometerData) -> (steps: Int, distance: Double) {
    let before = (steps: steps, distance: distance)
    steps = max(steps, data.steps)
    if data.distanceTravelled.isFinite { distance = max(distance, data.distanceTravelled) }
    return (steps - before.steps, distance - before.distance)
  }

  /// The measurement time of an update, in the owner's time; `nil` if unknown.
  func time(of data: any PedometerData) -> Duration? {
    guard let totals = data as? WalkTotals, totals.elapsed > .zero else { return nil }
    return beginning + totals.elapsed
  }
}
