import Accelerometry
import Pedometry
import Synchronization

/// A source with batches and an end specified by a test.
public struct ScriptedSource: AccelerationSource {
  public let profile = SensorProfile(name: "scripted", clock: .recording)
  private let script: [SampleBatch]
  private let failure: (any Error & Sendable)?
  private let isEndless: Bool

  /// - Parameters:
  ///   - script: the batches.
  ///   - failure: thrown after them; `nil`: the source ends.
  ///   - isEndless: whether it waits after its last batch until it is cancelled.
  public init(_ script: [SampleBatch], failure: (any Error & Sendable)? = nil, isEndless: Bool = false) {
    self.script = script
    self.failure = failure
    self.isEndless = isEndless
  }

  public func batches() -> AsyncThrowingStream<SampleBatch, any Error> {
    AsyncThrowingStream { continuation in
      for batch in script { continuation.yield(batch) }
      if !isEndless { continuation.finish(throwing: failure) }
    }
  }
}

/// Records the calls of a pedometer's handlers, in order, for waiting without sleeping.
public final class HandlerLog: Sendable {
  public enum Entry: Sendable, Equatable {
    case data(steps: Int)
    case dataError(String)
    case started
    case event(String)
  }

  private let stream: AsyncStream<Entry>
  private let continuation: AsyncStream<Entry>.Continuation

  public init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Records a call of a data handler.
  public func note(_ data: (any PedometerData)?, _ error: (any Error)?) {
    if let data { continuation.yield(.data(steps: data.steps)) }
    if let error { continuation.yield(.dataError("\(error)")) }
  }

  /// Records a call of an event handler.
  public func note(event error: (any Error)?) {
    guard let error else {
      continuation.yield(.started)
      return
    }
    continuation.yield(.event("\(error)"))
  }

  /// The entries up to and including the first that satisfies a condition.
  public func entries(until isLast: (Entry) -> Bool) async -> [Entry] {
    var entries: [Entry] = []
    for await entry in stream {
      entries.append(entry)
      if isLast(entry) { break }
    }
    return entries
  }
}
