import Accelerometry
import Synchronization

/// A source whose batches a test releases one by one, even into a cancelled task: a sensor's thread may deliver a batch
/// that it had read before the cancellation.
///
/// If opened several times, each opening waits for its own batches.
public final class HeldSource: AccelerationSource {
  public let profile = SensorProfile(name: "held", clock: .recording)

  /// The events of an opening.
  public enum News: Sendable, Hashable {
    /// A consumer waits for its next batch.
    case asks(Int)
    /// Its consumer released it.
    case letGo(Int)
  }

  private struct State {
    var openings = 0
    var waiting: [Int: CheckedContinuation<SampleBatch?, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())
  private let news: AsyncStream<News>
  private let tell: AsyncStream<News>.Continuation

  public init() { (news, tell) = AsyncStream.makeStream() }

  /// Returns when this event, or one of the others given, has happened; earlier events are discarded.
  public func first(of wanted: News...) async -> News? { await news.first { wanted.contains($0) } }

  /// The openings, numbered from 0, whose task was cancelled while waiting.
  public var cancelled: Set<Int> { state.withLock { $0.cancelled } }

  /// Delivers a batch to a waiting opening; `nil` ends it.
  public func release(_ batch: SampleBatch?, to opening: Int) {
    state.withLock { $0.waiting.removeValue(forKey: opening) }?.resume(returning: batch)
  }

  public func batches() -> Batches { Batches(source: self) }

  public struct Batches: AsyncSequence, Sendable {
    fileprivate let source: HeldSource

    public func makeAsyncIterator() -> Iterator { Iterator(opening: Opening(source)) }
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let opening: Opening

    public mutating func next() async throws -> SampleBatch? { await opening.next() }
  }

  fileprivate final class Opening: Sendable {
    private let source: HeldSource
    private let number: Int

    init(_ source: HeldSource) {
      self.source = source
      number = source.state.withLock { state in
        defer { state.openings += 1 }
        return state.openings
      }
    }

    deinit { source.tell.yield(.letGo(number)) }

    func next() async -> SampleBatch? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          source.state.withLock { $0.waiting[number] = continuation }
          source.tell.yield(.asks(number))
        }
      } onCancel: {
        source.state.withLock { _ = $0.cancelled.insert(number) }
      }
    }
  }
}
