import Accelerometry
import Dispatch
import Synchronization

/// A reader whose reads may block, on a serial queue: Dispatch gives it a thread outside the cooperative pool. Tasks await
/// the samples; other callers get them in a closure.
///
/// The reader is used only on the queue, one read at a time, which makes the class safe to send.
package final class ReadingThread: @unchecked Sendable {
  private let queue = DispatchQueue(label: "pedometer.reading")
  private let makeReader: @Sendable () throws -> any SampleReader
  private var reader: (any SampleReader)?
  private let conclusion = Mutex(SourceVerdict())

  /// What the reader says about its samples; empty before the end.
  package var verdict: SourceVerdict { conclusion.withLock { $0 } }

  /// - Parameter makeReader: opens the recording; called at the first read, on the queue.
  package init(makeReader: @escaping @Sendable () throws -> any SampleReader) { self.makeReader = makeReader }

  /// The next samples; `nil` at the end and when the calling task is cancelled.
  func read() async throws -> [AccelerationSample]? {
    let answer = Answer()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        read { answer.give($0) }
      }
    } onCancel: {
      answer.give(.success(nil))
    }
  }

  /// Reads the next samples; `nil` at the end. A second read waits for the first.
  /// - Parameter tell: gets them on the queue.
  package func read(_ tell: @escaping @Sendable (Result<[AccelerationSample]?, any Error>) -> Void) {
    queue.async { tell(Result { try self.readNow() }) }
  }

  private func readNow() throws -> [AccelerationSample]? {
    if reader == nil { reader = try makeReader() }
    var samples: [AccelerationSample] = []
    // In place: a copy of the reader would copy its buffer at every read.
    if try reader?.read(into: &samples) == true { return samples }
    if let verdict = reader?.verdict { conclusion.withLock { $0 = verdict } }
    return nil
  }

  /// Answered once: by the reader or by the cancellation, whichever comes first.
  private final class Answer: Sendable {
    private enum State {
      case nobodyWaits
      case waiting(CheckedContinuation<[AccelerationSample]?, any Error>)
      case given(Result<[AccelerationSample]?, any Error>)
      case delivered
    }

    private let state = Mutex(State.nobodyWaits)

    func wait(_ continuation: CheckedContinuation<[AccelerationSample]?, any Error>) {
      let early: Result<[AccelerationSample]?, any Error>? = state.withLock { state in
        guard case .given(let result) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .delivered
        return result
      }
      if let early { continuation.resume(with: early) }
    }

    func give(_ result: Result<[AccelerationSample]?, any Error>) {
      let waiting: CheckedContinuation<[AccelerationSample]?, any Error>? = state.withLock { state in
        switch state {
        case .nobodyWaits:
          state = .given(result)
          return nil
        case .waiting(let continuation):
          state = .delivered
          return continuation
        case .given, .delivered: return nil
        }
      }
      waiting?.resume(with: result)
    }
  }
}
