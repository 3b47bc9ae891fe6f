import Accelerometry
import Pedometry

/// A pedometer over any accelerometer: adapts a source and a detector to the founding protocol.
///
/// Each start reopens the source and counts from zero; totals are delivered when they have grown. Handlers run one
/// after the other on a task of this pedometer. After ``pause()`` has returned, no handler is called.
public final class DetectingPedometer<Source: AccelerationSource>: Pedometer {
  private let source: Source
  private let stepLength: StepLengthModel
  private let access: @Sendable () -> SensorAccess

  private let session = UpdateSession()

  /// Creates a pedometer over a source.
  /// - Parameters:
  ///   - source: the source of samples.
  ///   - stepLength: how the distance is computed.
  ///   - access: returns whether the source is present and readable; called for each query.
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

  /// Whether the source is present, but this user may not read it.
  public var permissionDeclined: Bool { access() == .declined }

  /// The walk as an asynchronous sequence, on which the closures are based.
  public var updates: WalkUpdates<Source> { WalkUpdates(of: source, stepLength: stepLength) }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let updates = updates
    session.deliver({ updates }, totals: { { $0.totals } }, dataUpdates: dataUpdates, eventUpdates: eventUpdates)
  }

  public func pause() { session.stop() }
}
