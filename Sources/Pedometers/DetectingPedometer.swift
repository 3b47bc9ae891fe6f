import Accelerometry
import Pedometry
import StepDetection
import Synchronization

/// A pedometer over any accelerometer: the founding protocol in front of a source and a detector.
///
/// Each start opens the source anew and counts from zero; totals are delivered when they grew. Handlers run one after
/// the other on a task of this pedometer. Once ``pause()`` has returned, no further handler is begun.
public final class DetectingPedometer<Source: AccelerationSource>: Pedometer {
  private let source: Source
  private let stepLength: StepLengthModel
  private let access: @Sendable () -> SensorAccess

  private struct Session {
    var number = 0
    var task: Task<Void, Never>?
  }
  private let session = Mutex(Session())

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

  deinit { session.withLock { $0.task?.cancel() } }

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
    session.withLock { session in
      session.task?.cancel()
      session.number += 1
      let number = session.number
      session.task = Task { [weak self] in
        let isCurrent = { @Sendable [weak self] in self?.isCurrent(number) ?? false }
        await Self.deliver(updates, isCurrent, dataUpdates, eventUpdates)
      }
    }
  }

  public func pause() {
    session.withLock { session in
      session.task?.cancel()
      session.task = nil
      session.number += 1
    }
  }

  private func isCurrent(_ number: Int) -> Bool { session.withLock { $0.number == number } }

  private static func deliver(
    _ updates: WalkUpdates<Source>, _ isCurrent: @Sendable () -> Bool,
    _ dataUpdates: @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    _ eventUpdates: @Sendable ((any Error)?) -> Void
  ) async {
    var isRunning = false
    var steps = 0
    do {
      for try await update in updates {
        guard isCurrent() else { return }
        if !isRunning {
          isRunning = true
          eventUpdates(nil)
        }
        guard update.walk.steps > steps, isCurrent() else { continue }
        steps = update.walk.steps
        dataUpdates(update.walk, nil)
      }
    } catch {
      guard isCurrent(), !(error is CancellationError) else { return }
      // Before the first sample it is the start that failed, afterwards the data.
      if isRunning { dataUpdates(nil, error) } else { eventUpdates(error) }
    }
  }
}
