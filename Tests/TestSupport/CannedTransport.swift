import ServiceTransport

/// A stub: canned answers in place of a network. It keeps what it was asked.
public final class CannedTransport: Transport {
  public typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct State {
    var answers: [Answer] = []
    var otherwise: Answer
    var requests: [TransportRequest] = []
  }
  private let state: Observed<State>

  /// Answers each request alike, but the first ones, if some are given, in their order.
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

  /// What came in.
  public var requests: [TransportRequest] { state.value.requests }

  /// Returns as soon as so many requests have come in.
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
