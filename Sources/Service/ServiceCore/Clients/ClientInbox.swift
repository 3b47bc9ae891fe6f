import Accelerometry
import Synchronization

/// The queue of a client's samples that are not counted yet: one writer at a time, one reader.
final class ClientInbox: Sendable {
  private struct State {
    var batches: [SampleBatch] = []
    var samples = 0
    /// Ends the reader's wait.
    var bell: AsyncStream<Never>.Continuation?
  }

  private let state = Mutex(State())
  private let most: Int

  init(most: Int) { self.most = most }

  var hasRoom: Bool { state.withLock { $0.samples < most } }

  func add(_ batch: SampleBatch) {
    let bell = state.withLock { state in
      state.batches.append(batch)
      state.samples += batch.samples.count
      return state.bell
    }
    bell?.finish()
  }

  /// Removes and returns the next samples; `nil` if the queue is empty.
  func pop() -> SampleBatch? {
    state.withLock { state in
      guard !state.batches.isEmpty else { return nil }
      let batch = state.batches.removeFirst()
      state.samples -= batch.samples.count
      return batch
    }
  }

  /// Waits until the queue is not empty.
  /// - Parameters:
  ///   - limit: the timeout; `nil`: none.
  ///   - sleep: waits for a duration.
  /// - Returns: whether there are samples; `false` after the timeout or cancellation.
  func arrival(within limit: Duration?, _ sleep: @escaping @Sendable (Duration) async throws -> Void) async -> Bool {
    let (wait, bell) = AsyncStream<Never>.makeStream()
    let isEmpty = state.withLock { state in
      state.bell = bell
      return state.batches.isEmpty
    }
    guard isEmpty else { return true }
    let timer = limit.map { limit in
      Task { if (try? await sleep(limit)) != nil { bell.finish() } }
    }
    defer { timer?.cancel() }
    for await _ in wait {}
    return state.withLock { !$0.batches.isEmpty }
  }
}

/// The samples of a client, as they arrive.
struct ClientSamples: AccelerationSource {
  let profile: SensorProfile
  let inbox: ClientInbox
  let clock: ServiceClock

  /// The time without messages after which a client is lost. A phone without a network queues its samples and sends them later.
  static let longestSilence = Duration.seconds(30)

  func batches() -> Batches { Batches(inbox: inbox, clock: clock) }

  /// Never ends; throws ``ClientSilence``.
  struct Batches: AsyncSequence, AsyncIteratorProtocol, Sendable {
    fileprivate let inbox: ClientInbox
    fileprivate let clock: ServiceClock

    func makeAsyncIterator() -> Batches { self }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> SampleBatch? {
      // Queued samples are counted even when the service is shutting down.
      while true {
        if let batch = inbox.pop() { return batch }
        if await inbox.arrival(within: longestSilence, clock.sleep) { continue }
        if Task.isCancelled { return nil }
        throw ClientSilence()
      }
    }
  }
}

/// A client has not sent anything for a while.
struct ClientSilence: Error, Hashable, CustomStringConvertible {
  var description: String {
    "no samples for \(ClientSamples.longestSilence.components.seconds) s; open the page or start the app on it again"
  }
}
