import ServiceTransport

/// A stub for a service: records a request first, and then sends a given answer.
///
/// Each test has its own, so nothing is shared and no request is lost.
public final class StubTransport: Transport {
  /// An answer: a status and bytes, a stream in chunks, or an error.
  public enum Answer: Sendable {
    case response(status: Int, body: String)
    /// Chunks of a stream, which then ends, stays silent, or breaks.
    case stream(status: Int, pieces: [[UInt8]], end: End)
    case failure(any Error)

    /// A stream of text in one chunk.
    public static func text(_ text: String, end: End = .finished) -> Answer {
      .stream(status: 200, pieces: [Array(text.utf8)], end: end)
    }
  }

  /// How a stream ends.
  public enum End: Sendable {
    case finished, silence
    case failure(any Error)
  }

  private struct State {
    var requests: [TransportRequest] = []
    var answers: [Answer]
    var openStreams = 0
  }

  private let state: Observed<State>
  private let otherwise: Answer

  /// Creates a stub.
  /// - Parameters:
  ///   - answers: sent in this order.
  ///   - otherwise: sent when there are none left.
  public init(_ answers: [Answer] = [], otherwise: Answer = .response(status: 200, body: "{}")) {
    state = Observed(State(answers: answers))
    self.otherwise = otherwise
  }

  /// The requests, in order.
  public var requests: [TransportRequest] { state.value.requests }

  /// Returns when no stream is open.
  public func waitUntilClosed() async { await state.wait { $0.openStreams == 0 } }

  /// Returns when this many requests were received.
  public func waitForRequests(_ count: Int) async { await state.wait { $0.requests.count >= count } }

  public func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    switch next(request) {
    case .response(let status, let body): return TransportResponse(status: status, body: Array(body.utf8))
    case .stream(let status, let pieces, _): return TransportResponse(status: status, body: pieces.flatMap(\.self))
    case .failure(let error): throw error
    }
  }

  public func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    switch next(request) {
    case .response(let status, let body): return stream(status, [Array(body.utf8)], .finished)
    case .stream(let status, let pieces, let end): return stream(status, pieces, end)
    case .failure(let error): throw error
    }
  }

  private func next(_ request: TransportRequest) -> Answer {
    state.update { [otherwise] state in
      state.requests.append(request)
      return state.answers.isEmpty ? otherwise : state.answers.removeFirst()
    }
  }

  private func stream(_ status: Int, _ pieces: [[UInt8]], _ end: End) -> TransportStream {
    let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    state.update { $0.openStreams += 1 }
    continuation.onTermination = { [weak self] _ in self?.state.update { $0.openStreams -= 1 } }
    for piece in pieces { continuation.yield(piece) }
    switch end {
    case .finished: continuation.finish()
    case .failure(let error): continuation.finish(throwing: error)
    case .silence: break
    }
    // A silent stream lives as long as it is read.
    return TransportStream(
      status: status,
      chunks: AsyncThrowingStream {
        var iterator = chunks.makeAsyncIterator()
        return try await iterator.next(isolation: nil)
      })
  }
}
