import Pedometry

/// A sample with only the two founding figures; it has no time.
public struct MockData: PedometerData {
  public var steps: Int
  public var distanceTravelled: Double

  public init(steps: Int, distanceTravelled: Double) {
    self.steps = steps
    self.distanceTravelled = distanceTravelled
  }
}
