import Accelerometry
import Pedometry

/// A pedometer over any accelerometer: the founding protocol in front of a source and a detector.
///
/// Each start opens the source anew and counts from zero; totals are delivered when they grew. Handlers run one after
/// the other on a task of this pedometer. Once ``pause()`` has returned, no further handler is begun.
public final class DetectingPedometer<Source: AccelerationSource>: Pedometer {
  private let source: Source
  private let stepLength: StepLengthModel
  private let access: @Sendable () -> SensorAccess

  private let session = UpdateSession()

  /// A pedometer over a source.
  /// - Parameters:
  ///   - source: where samples come from.
  ///   - stepLength: how distance is made of steps.
  ///   - access: asked each time whether the source is there and may be read.
  public init(
    _ source: Source, stepLength: StepLengthModel = .walkRatio(),
    access: @escaping @Sendable () -> SensorAccess = { .granted }
  ) {
    self.source = source
    self.stepLength = stepLength
    self.access = access
  }

  /// Whether the source can be opened.
  public var pedometerAvailable: Bool { access() != .missing }

  /// Whether the source is there, but this user may not read it.
  public var permissionDeclined: Bool { access() == .declined }

  /// The walk as an asynchronous sequence; closures are an adapter over this.
  public var updates: WalkUpdates<Source> { WalkUpdates(of: source, stepLength: stepLength) }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let updates = updates
    session.deliver({ updates }, totals: { { $0.walk } }, dataUpdates: dataUpdates, eventUpdates: eventUpdates)
  }

  public func pause() { session.stop() }
}
