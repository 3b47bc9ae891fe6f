/// The state of a walk at one moment: the two founding figures and those of `CMPedometerData`.
///
/// Every total is cumulative since the pedometer's start.
public struct WalkSample: PedometerData, Hashable {
  /// Steps of both feet.
  public var steps: Int
  /// Metres.
  public var distanceTravelled: Double
  /// Time since the start, on the sensor's clock.
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

  /// Creates a sample.
  public init(
    steps: Int = 0, distanceTravelled: Double = 0, elapsed: Duration = .zero, currentCadence: Double? = nil,
    currentPace: Double? = nil, averageActivePace: Double? = nil, activeTime: Duration = .zero,
    floorsAscended: Int? = nil, floorsDescended: Int? = nil, gait: GaitMeasures? = nil
  ) {
    self.steps = steps
    self.distanceTravelled = distanceTravelled
    self.elapsed = elapsed
    self.currentCadence = currentCadence
    self.currentPace = currentPace
    self.averageActivePace = averageActivePace
    self.activeTime = activeTime
    self.floorsAscended = floorsAscended
    self.floorsDescended = floorsDescended
    self.gait = gait
  }
}
