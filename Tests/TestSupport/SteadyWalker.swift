import Pedometry
import Synchronization

/// A fake: a walker with constant cadence and step length, controlled by the test's time.
///
/// Both totals are cumulative and start at zero in each session, and each sample has its time.
public final class SteadyWalker: Pedometer {
  private struct State {
    var elapsed = Duration.zero
    var steps = 0
    var handler: (@Sendable ((any PedometerData)?, (any Error)?) -> Void)?
  }
  private let state = Mutex(State())
  /// Steps per minute.
  public let cadence: Int
  /// Metres.
  public let stepLength: Double

  public init(cadence: Int, stepLength: Double) {
    self.cadence = cadence
    self.stepLength = stepLength
  }

  public var pedometerAvailable: Bool { true }
  public var permissionDeclined: Bool { false }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    state.withLock { $0 = State(handler: dataUpdates) }
    eventUpdates(nil)
  }

  public func pause() { state.withLock { $0.handler = nil } }

  /// Continues to walk in this session: one sample for each step in the time.
  public func walk(for duration: Duration) {
    let (samples, handler) = state.withLock { state in
      state.elapsed += duration
      var samples: [WalkTotals] = []
      while cadence > 0, time(ofStep: state.steps + 1) <= state.elapsed {
        state.steps += 1
        samples.append(
          WalkTotals(
            steps: state.steps, distanceTravelled: Double(state.steps) * stepLength,
            elapsed: time(ofStep: state.steps)))
      }
      return (samples, state.handler)
    }
    for sample in samples { handler?(sample, nil) }
  }

  private func time(ofStep step: Int) -> Duration { .seconds(60) * step / cadence }
}
