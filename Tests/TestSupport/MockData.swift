import Pedometry

/// A sample of the founding two figures and nothing else: it does not say when it was measured.
public struct MockData: PedometerData {
  public var steps: Int
  public var distanceTravelled: Double

  public init(steps: Int, distanceTravelled: Double) {
    self.steps = steps
    self.distanceTravelled = distanceTravelled
  }
}
