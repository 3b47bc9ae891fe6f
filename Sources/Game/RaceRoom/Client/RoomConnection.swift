import Platform
import ServiceTransport

struct RoomConnection: Sendable {
  /// Without a trailing slash.
  let base: String
  let token: String?
  let transport: any Transport
  let clock: RoomClock
  let timeout: Duration
  /// The longest silence of a stream: three heartbeats.
  let silence: Duration

  func request(_ method: String, _ target: String, body: [UInt8] = []) -> TransportRequest {
    var headers = body.isEmpty ? [] : [TransportRequest.Header("Content-Type", "application/json")]
    if let token { headers.append(.init("Authorization", "Bearer \(token)")) }
    return TransportRequest(method: method, url: base + target, headers: headers, body: body)
  }

  func send(_ method: String, _ target: String, body: [UInt8] = []) async throws -> TransportResponse {
    let answer = try await transport.send(request(method, target, body: body), timeout: timeout)
    guard answer.isSuccess else {
      throw RoomClientError.refused(status: answer.status, reason: Self.reason(in: answer.body))
    }
    return answer
  }

  /// The sentence in the body of a refusal.
  static func reason(in body: [UInt8]) -> String {
    if let problem: RoomProblem = RoomJSON.value(from: body) { return PrintableText.line(problem.reason) }
    let text = String(decoding: body.prefix(200), as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? "no reason given" : PrintableText.line(text)
  }
}
