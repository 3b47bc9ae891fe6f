import Accelerometry
import Synchronization

/// What a client has sent and nobody has counted yet: one writer at a time, one reader.
final class ClientInbox: Sendable {
  private struct State {
    var batches: [SampleBatch] = []
    var samples = 0
    /// The reader, and the number of its wait.
    var waiting: (number: Int, continuation: CheckedContinuation<Bool, Never>)?
    var waits = 0
  }

  private let state = Mutex(State())
  /// How many samples may wait.
  private let most: Int

  init(most: Int) { self.most = most }

  /// Whether there is room.
  var hasRoom: Bool { state.withLock { $0.samples < most } }

  /// Adds samples.
  func add(_ batch: SampleBatch) {
    let waiting = state.withLock { state in
      state.batches.append(batch)
      state.samples += batch.samples.count
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.continuation.resume(returning: true)
  }

  /// The next samples; `nil` when none wait.
  func pop() -> SampleBatch? {
    state.withLock { state in
      guard !state.batches.isEmpty else { return nil }
      let batch = state.batches.removeFirst()
      state.samples -= batch.samples.count
      return batch
    }
  }

  /// Waits until something is there.
  /// - Parameters:
  ///   - limit: how long; `nil`: for ever.
  ///   - sleep: waits so long.
  /// - Returns: whether something is there; `false` when the time is over or the task was cancelled.
  func arrival(within limit: Duration?, _ sleep: @escaping @Sendable (Duration) async throws -> Void) async -> Bool {
    let number = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    let timer = limit.map { limit in
      Task { if (try? await sleep(limit)) != nil { self.giveUp(number) } }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if !state.batches.isEmpty { return true }
          if Task.isCancelled || state.waits != number { return false }
          state.waiting = (number, continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let waiting = state.waiting else {
        // It does not wait yet, and finds that its number is not the latest.
        if state.waits == number { state.waits += 1 }
        return nil
      }
      guard waiting.number == number else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    waiting?.resume(returning: false)
  }
}

/// The samples of a client, as they come.
struct ClientSamples: AccelerationSource {
  let profile: SensorProfile
  let inbox: ClientInbox
  let clock: ServiceClock

  /// A client that sends nothing for so long is lost. A phone that goes through a tunnel sends what it kept behind it.
  static let longestSilence = Duration.seconds(30)

  func batches() -> Batches { Batches(inbox: inbox, clock: clock) }

  /// Never ends; throws ``ClientSilence``.
  struct Batches: AsyncSequence, Sendable {
    typealias Element = SampleBatch
    typealias Failure = any Error

    fileprivate let inbox: ClientInbox
    fileprivate let clock: ServiceClock

    func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox, clock: clock) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let inbox: ClientInbox
      fileprivate let clock: ServiceClock

      mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> SampleBatch? {
        // What was taken is counted, also when the service ends.
        while true {
          if let batch = inbox.pop() { return batch }
          if await inbox.arrival(within: longestSilence, clock.sleep) { continue }
          if Task.isCancelled { return nil }
          throw ClientSilence()
        }
      }
    }
  }
}

/// A client has sent nothing for a while.
struct ClientSilence: Error, Hashable, CustomStringConvertible {
  var description: String {
    "no samples for \(ClientSamples.longestSilence.components.seconds) s; open the page or start the app on it again"
  }
}
