import Accelerometry
import Counting
import Pedometry

/// A pedometer over any source of samples or steps: adapts it to the founding protocol.
///
/// Each start reopens the source and counts from zero; totals are delivered when they have grown. Handlers run one
/// after the other on a task of this pedometer. After ``pause()`` has returned, no handler is called.
public final class DetectingPedometer: Pedometer {
  private let progress: WalkUpdates
  private let explain: @Sendable (any Error) -> any Error

  private let session = UpdateSession()

  /// Creates a pedometer over a source of samples.
  /// - Parameters:
  ///   - source: the source of samples.
  ///   - stepLength: how the distance is computed.
  public convenience init(
    _ source: some AccelerationSource, stepLength: StepLengthModel = .walkRatio()
  ) { self.init(source.walk, CountingOptions(stepLength: stepLength, slice: nil)) }

  /// Creates a pedometer over a source of steps.
  /// - Parameters:
  ///   - source: the source of steps.
  ///   - options: how to count.
  ///   - explain: converts an error to one that the handlers expect.
  public init(
    _ source: some WalkSource, _ options: CountingOptions,
    explain: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) {
    progress = WalkUpdates(of: source, options)
    self.explain = explain
  }

  /// `true`; a source that cannot be opened is an error of the start.
  public var pedometerAvailable: Bool { true }

  public var permissionDeclined: Bool { false }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (progress, explain) = (progress, explain)
    session.start { isCurrent in
      var (isRunning, steps) = (false, 0)
      do {
        for try await walk in progress {
          guard isCurrent() else { return }
          if !isRunning {
            isRunning = true
            eventUpdates(nil)
          }
          guard walk.totals.steps > steps, isCurrent() else { continue }
          steps = walk.totals.steps
          dataUpdates(walk.totals, nil)
        }
      } catch {
        guard isCurrent(), !(error is CancellationError) else { return }
        // An error before the first progress is one of the start.
        if isRunning { dataUpdates(nil, explain(error)) } else { eventUpdates(explain(error)) }
      }
    }
  }

  public func pause() { session.stop() }
}
