import Accelerometry
import Pedometry
import StepDetection

/// What one batch of samples brought.
public struct WalkUpdate: Sendable, Hashable {
  /// The steps that became certain, by rising timestamp; often none.
  public var steps: [Step]
  /// The totals as of the batch's last sample.
  public var walk: WalkSample
  /// What was lost before the batch.
  public var gap: SampleBatch.Gap?

  /// Makes an update.
  public init(steps: [Step], walk: WalkSample, gap: SampleBatch.Gap? = nil) {
    self.steps = steps
    self.walk = walk
    self.gap = gap
  }
}

/// A source's samples as a walk, batch by batch: pulled, so a slow consumer holds back the source; one consumer.
///
/// After the source's last batch comes one more update with the steps that were still open. An error of the source is
/// passed on after such an update, so nothing that was walked is lost.
public struct WalkUpdates<Source: AccelerationSource>: AsyncSequence {
  public typealias Element = WalkUpdate
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
    Iterator(batches: source.batches().makeAsyncIterator(), counter: WalkCounter(stepLength: stepLength))
  }

  /// Pulls a batch and tells what it brought.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Phase {
      case reading
      case failed(any Error)
      case over
    }

    private var batches: Source.Batches.AsyncIterator
    private var counter: WalkCounter
    private var phase = Phase.reading

    init(batches: Source.Batches.AsyncIterator, counter: WalkCounter) {
      self.batches = batches
      self.counter = counter
    }

    /// The next update; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkUpdate? {
      switch phase {
      case .over: return nil
      case .failed(let error):
        phase = .over
        throw error
      case .reading: break
      }
      do {
        if let batch = try await batches.next(isolation: actor) {
          let steps = counter.process(batch)
          return WalkUpdate(steps: steps, walk: counter.walk, gap: batch.gap)
        }
        phase = .over
      } catch is CancellationError {
        phase = .over
        throw CancellationError()
      } catch {
        // Without a sample there is nothing to be told first: the source did not open.
        phase = counter.samples > 0 ? .failed(error) : .over
        if counter.samples == 0 { throw error }
      }
      let steps = counter.finish()
      return WalkUpdate(steps: steps, walk: counter.walk)
    }
  }
}

extension WalkUpdates: Sendable where Source: Sendable {}
