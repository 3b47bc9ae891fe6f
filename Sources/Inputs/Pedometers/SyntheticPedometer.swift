import Pedometry
import Recordings

/// A functional fake: the real detector on a synthetic walk, in real time or on any clock.
///
/// It ships with the package, for demonstrations, for games on machines without a sensor, and for tests. It is always
/// available and permitted; every start restarts the walk at zero.
///
///     let pedometer = SyntheticPedometer()
///     pedometer.start { data, _ in print(data?.steps ?? 0) } eventUpdates: { _ in }
public final class SyntheticPedometer<C: Clock>: Pedometer where C.Duration == Duration {
  private let detecting: DetectingPedometer

  /// Creates a pedometer that counts a synthetic walk.
  /// - Parameters:
  ///   - walk: the walk, with its cadence and step length.
  ///   - pace: the speed of the walk's time relative to the clock.
  ///   - clock: the clock to wait on; a test's clock makes it deterministic.
  /// - Throws: a `SyntheticWalkError` if a parameter of the walk is out of its range.
  public init(walk: SyntheticWalk = .allDay, pace: ReplayPace = .realTime, clock: C) throws(SyntheticWalkError) {
    _ = try walk.reader()
    let source = RecordingReplay(profile: walk.profile, pace: pace, clock: clock) { try walk.reader() }
    detecting = DetectingPedometer(source, stepLength: walk.stepLength.map { .fixed($0) } ?? .walkRatio())
  }

  public var pedometerAvailable: Bool { true }

  public var permissionDeclined: Bool { false }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) { detecting.start(dataUpdates: dataUpdates, eventUpdates: eventUpdates) }

  public func pause() { detecting.pause() }
}

extension SyntheticPedometer where C == ContinuousClock {
  /// Creates a pedometer with a walk of a whole day, in real time.
  public convenience init() {
    do { try self.init(walk: .allDay, clock: ContinuousClock()) } catch { preconditionFailure("\(error)") }
  }
}

extension SyntheticWalk {
  /// A day of walking at 120 steps/min and 0.7 m a step, measured by a watch.
  public static var allDay: SyntheticWalk {
    var walk = SyntheticWalk()
    walk.cadence = 120
    walk.stepLength = 0.7
    walk.duration = .seconds(86_400)
    return walk
  }
}
