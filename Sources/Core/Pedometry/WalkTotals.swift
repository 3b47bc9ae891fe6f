/// The totals of a walk up to a moment, or of an interval of the history: the two founding figures and those of
/// `CMPedometerData`.
///
/// During a walk, totals accumulate from the pedometer's start. An interval has no current cadence or pace.
public struct WalkTotals: PedometerData, Hashable {
  /// Steps of both feet.
  public var steps: Int
  /// Metres.
  public var distanceTravelled: Double
  /// Time since the start of the walk, on the sensor's clock; zero for an interval of the history.
  public var elapsed: Duration
  /// Current cadence in steps per second; `nil` while not walking.
  public var currentCadence: Double?
  /// Current pace in seconds per metre; `nil` while not walking.
  public var currentPace: Double?
  /// Seconds per metre over the walking time; `nil` before the first metre.
  public var averageActivePace: Double?
  /// The walking time.
  public var activeTime: Duration
  /// Floors climbed; `nil` without a barometer.
  public var floorsAscended: Int?
  /// Floors descended; `nil` without a barometer.
  public var floorsDescended: Int?
  /// How evenly was walked: times of steps and strides, regularity and symmetry of the bouts that are over, and of the present
  /// one up to the last of every 256 steps; `nil` unless the gait is measured.
  public var gait: GaitMeasures?

  /// Creates totals. Unless stated, the average pace is that of the walking time and the distance.
  public init(
    steps: Int = 0, distanceTravelled: Double = 0, elapsed: Duration = .zero, currentCadence: Double? = nil,
    currentPace: Double? = nil, averageActivePace: Double? = nil, activeTime: Duration = .zero,
    floorsAscended: Int? = nil, floorsDescended: Int? = nil, gait: GaitMeasures? = nil
  ) {
    (self.steps, self.distanceTravelled, self.elapsed) = (steps, distanceTravelled, elapsed)
    (self.currentCadence, self.currentPace) = (currentCadence, currentPace)
    self.averageActivePace = averageActivePace ?? Self.pace(distanceTravelled, in: activeTime)
    (self.activeTime, self.floorsAscended) = (activeTime, floorsAscended)
    (self.floorsDescended, self.gait) = (floorsDescended, gait)
  }

  /// Seconds per metre; `nil` without a distance or a time.
  static func pace(_ distance: Double, in time: Duration) -> Double? {
    let seconds = time.seconds
    return distance > 0 && seconds > 0 ? seconds / distance : nil
  }
}

extension Duration {
  /// The duration in seconds; Embedded Swift has no quotient of durations.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
