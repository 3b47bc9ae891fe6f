import ServiceTransport

/// A stub: canned answers instead of a network. It records the requests.
public final class CannedTransport: Transport {
  public typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct State {
    var answers: [Answer] = []
    var otherwise: Answer
    var requests: [TransportRequest] = []
  }
  private let state: Observed<State>

  /// Sends the given first answers in order, and then always the same.
  public init(first answers: [Answer] = [], then otherwise: @escaping Answer) {
    state = Observed(State(answers: answers, otherwise: otherwise))
  }

  /// Answers each request with this.
  public convenience init(
    status: Int, headers: [TransportRequest.Header] = [], body: String = ""
  ) {
    self.init { _ in TransportResponse(status: status, headers: headers, body: Array(body.utf8)) }
  }

  /// Echoes bodies, as the founding service does.
  public static func echo() -> CannedTransport {
    CannedTransport { TransportResponse(status: 200, body: $0.body) }
  }

  /// The received requests.
  public var requests: [TransportRequest] { state.value.requests }

  /// Returns when this many requests were received.
  public func waitForRequests(_ count: Int) async { await state.wait { $0.requests.count >= count } }

  public func send(_ request: TransportRequest, timeout: Duration) async throws -> TransportResponse {
    let answer = state.update { state in
      state.requests.append(request)
      return state.answers.isEmpty ? state.otherwise : state.answers.removeFirst()
    }
    return try await answer(request)
  }

  public func open(_ request: TransportRequest, silence: Duration) async throws -> TransportStream {
    throw TransportError.badAddress(request.url)
  }
}
