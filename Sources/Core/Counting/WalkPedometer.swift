import Pedometry

/// A pedometer over any source of steps: adapts the events of a walk to the founding protocol.
package final class WalkPedometer<Source: WalkSource>: Pedometer {
  private let source: Source
  private let options: CountingOptions
  private let explain: @Sendable (any Error) -> any Error
  private let session = UpdateSession()

  /// Creates a pedometer without opening the source.
  /// - Parameter explain: converts an error to one that the handlers expect.
  package init(
    _ source: Source, _ options: CountingOptions = CountingOptions(),
    explain: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) {
    self.source = source
    self.options = options
    self.explain = explain
  }

  package var pedometerAvailable: Bool { true }
  package var permissionDeclined: Bool { false }

  package func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let (source, options) = (source, options)
    session.deliver(
      { source.events(options) },
      totals: { { event in if case .progress(let progress) = event { progress.totals } else { nil } } },
      explain: explain, dataUpdates: dataUpdates, eventUpdates: eventUpdates)
  }

  package func pause() { session.stop() }
}

extension WalkSource {
  /// The source as a pedometer.
  /// - Parameter explain: converts an error to one that the handlers expect.
  package func pedometer(
    stepLength: StepLengthModel = .walkRatio(), explain: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) -> any Pedometer {
    WalkPedometer(self, CountingOptions(stepLength: stepLength), explain: explain)
  }
}
