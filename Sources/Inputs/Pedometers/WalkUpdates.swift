import Accelerometry
import Counting
import Pedometry

/// A source's samples as a walk, batch by batch. The sequence is pulled, so a slow consumer holds back the source; it
/// has one consumer.
///
/// After the source's last batch there is one more update with the steps that were still open. An error of the source
/// is thrown after such an update, so no step is lost.
public struct WalkUpdates<Source: AccelerationSource>: AsyncSequence {
  public typealias Element = WalkProgress
  public typealias Failure = any Error

  private let source: Source
  private let stepLength: StepLengthModel

  /// The walk of a source.
  public init(of source: Source, stepLength: StepLengthModel = .walkRatio()) {
    self.source = source
    self.stepLength = stepLength
  }

  /// Opens the source.
  public func makeAsyncIterator() -> Iterator {
    // An update covers a whole batch.
    let options = CountingOptions(stepLength: stepLength, slice: nil)
    return Iterator(events: SampleWalk { source.events }.events(options).makeAsyncIterator())
  }

  /// Pulls a batch and returns its result.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: WalkEvents<AsyncMapSequence<Source.Batches, SourceEvent<SampleBatch>>>.Iterator
    private var wasTold = false

    fileprivate init(events: WalkEvents<AsyncMapSequence<Source.Batches, SourceEvent<SampleBatch>>>.Iterator) {
      self.events = events
    }

    /// The next update; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkProgress? {
      while let event = try await events.next(isolation: actor) {
        guard case .progress(let progress) = event else { continue }
        wasTold = true
        return progress
      }
      if wasTold { return nil }
      // No batch arrived, and nothing failed.
      wasTold = true
      return WalkProgress(steps: [], totals: WalkTotals(), now: .zero)
    }
  }
}

extension WalkUpdates: Sendable where Source: Sendable {}
