import Accelerometry
import Counting
import Pedometry

/// A source as the progress of a walk. The sequence is pulled, so a slow consumer holds back the source; it has one consumer.
///
/// After the source's last batch there is one more update with the steps that were still open. An error of the source, or that its
/// samples say nothing about steps, is thrown after such an update, so no step is lost.
public struct WalkUpdates: AsyncSequence, Sendable {
  public typealias Element = WalkProgress
  public typealias Failure = any Error

  private let events: @Sendable () -> any AsyncSequence<WalkEvent, any Error>

  /// The walk of a source of samples, with one update for each batch.
  public init(of source: some AccelerationSource, stepLength: StepLengthModel = .walkRatio()) {
    self.init(of: source.walk, CountingOptions(stepLength: stepLength, slice: nil))
  }

  /// The walk of a source of samples or steps.
  public init(of source: some WalkSource, _ options: CountingOptions) { events = { source.events(options) } }

  /// Opens the source.
  public func makeAsyncIterator() -> Iterator { Iterator(events: events().makeAsyncIterator()) }

  /// Pulls the source up to its next progress.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: any AsyncIteratorProtocol<WalkEvent, any Error>
    private var wasTold = false
    private var refusal: UncountableSamples?

    fileprivate init(events: any AsyncIteratorProtocol<WalkEvent, any Error>) { self.events = events }

    /// The next update; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkProgress? {
      while let event = try await events.next(isolation: actor) {
        if case .ended(let walk) = event { refusal = walk.refusal }
        guard case .progress(let progress) = event else { continue }
        wasTold = true
        return progress
      }
      defer { (wasTold, refusal) = (true, nil) }
      if let refusal { throw refusal }
      // No batch arrived, and nothing failed.
      return wasTold ? nil : WalkProgress(steps: [], totals: WalkTotals(), now: .zero)
    }
  }
}
