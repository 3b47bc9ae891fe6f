import Accelerometry
import Recordings
import Synchronization

/// A reader's samples, read ahead on a separate thread and taken without blocking.
///
/// At most ``readAhead`` batches are kept, so memory does not grow with the recording and back-pressure reaches a pipe.
/// Releasing the feed ends the reading after the current read.
final class SampleFeed: Sendable {
  /// The state of the feed.
  enum Content {
    case samples([AccelerationSample])
    /// Nothing yet; `wake` is called when there is something.
    case nothingYet
    /// With what the reader says about its samples.
    case end(SourceVerdict)
    case failure(any Error)
  }

  static let readAhead = 4

  private struct State {
    var batches: [[AccelerationSample]] = []
    var isReading = false
    var end: Result<Void, any Error>?
  }

  private let state = Mutex(State())
  private let thread: ReadingThread
  private let wake: @Sendable () -> Void

  /// Begins to read.
  /// - Parameters:
  ///   - wake: called on the reading thread after each read.
  ///   - makeReader: opens the recording; called on the reading thread.
  init(wake: @escaping @Sendable () -> Void, makeReader: @escaping @Sendable () throws -> any SampleReader) {
    self.wake = wake
    thread = ReadingThread(makeReader: makeReader)
    readOn()
  }

  /// Takes the next batch, and allows more to be read.
  func take() -> Content {
    let content: Content = state.withLock { state in
      if !state.batches.isEmpty { return .samples(state.batches.removeFirst()) }
      switch state.end {
      case nil: return .nothingYet
      case .success: return .end(thread.verdict)
      case .failure(let error): return .failure(error)
      }
    }
    readOn()
    return content
  }

  private func readOn() {
    let isWanted = state.withLock { state in
      guard !state.isReading, state.end == nil, state.batches.count < Self.readAhead else { return false }
      state.isReading = true
      return true
    }
    guard isWanted else { return }
    thread.read { [weak self] in self?.append($0) }
  }

  private func append(_ result: Result<[AccelerationSample]?, any Error>) {
    state.withLock { state in
      state.isReading = false
      switch result {
      case .success(let samples?): state.batches.append(samples)
      case .success(nil): state.end = .success(())
      case .failure(let error): state.end = .failure(error)
      }
    }
    readOn()
    wake()
  }
}
