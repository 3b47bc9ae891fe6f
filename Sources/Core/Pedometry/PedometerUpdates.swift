// Embedded Swift for bare metal has no concurrency.
#if !hasFeature(Embedded)
  extension Pedometer {
    /// The totals as an asynchronous sequence: each iterator begins a session at zero.
    ///
    ///     for try await walk in pedometer.updates { print(walk.steps) }
    ///
    /// Totals are cumulative, so a slow consumer skips some and always gets the latest. An error of the start or of the
    /// data is thrown. Leaving the loop, or cancelling its task, pauses the pedometer. A pedometer has one session: a
    /// second iterator, or a call of ``start(dataUpdates:eventUpdates:)``, stops delivery to the first one.
    public var updates: PedometerUpdates { PedometerUpdates(of: self) }
  }

  /// The totals of a ``Pedometer``; see ``Pedometer/updates``.
  public struct PedometerUpdates: AsyncSequence, Sendable {
    public typealias Element = any PedometerData
    public typealias Failure = any Error

    private let pedometer: any Pedometer

    /// Creates the sequence without starting the pedometer.
    public init(of pedometer: any Pedometer) { self.pedometer = pedometer }

    /// Starts the pedometer. The iterator waits until the totals have grown; `nil` when the task is cancelled.
    public func makeAsyncIterator() -> AsyncThrowingStream<any PedometerData, any Error>.Iterator {
      let pedometer = pedometer
      let (stream, totals) = AsyncThrowingStream.makeStream(
        of: (any PedometerData).self, bufferingPolicy: .bufferingNewest(1))
      totals.onTermination = { _ in pedometer.pause() }
      pedometer.start(
        dataUpdates: { data, error in
          if let data { totals.yield(data) }
          if let error { totals.finish(throwing: error) }
        },
        eventUpdates: { error in if let error { totals.finish(throwing: error) } })
      return stream.makeAsyncIterator()
    }
  }
#endif
