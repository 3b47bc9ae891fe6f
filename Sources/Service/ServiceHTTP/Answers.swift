import HTTPTypes
import Hummingbird
import JSONLines
import NIOCore
import ServiceCore
import ServiceLifecycle

extension Response {
  static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    plain(Array(text.utf8), type: "application/json; charset=utf-8", status: status)
  }

  /// A JSON array of lines, each of which is an object.
  static func json(array lines: [String]) -> Response {
    json("[" + lines.map(\.withoutLineEnd).joined(separator: ",") + "]")
  }

  /// A JSON array sent page by page. If a page cannot be read, the connection is closed before the end of the array, so
  /// that the client detects the error.
  /// - Parameters:
  ///   - slot: held until the answer has been sent.
  static func jsonArray(_ pages: @escaping HistoryPages, beginningWith first: [String], while slot: AnswerSlots.Slot)
    -> Response
  {
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "[" + first.joined(separator: ",")))
      while let page = try await pages() {
        // An answer that may take minutes must not delay shutdown.
        if Task.isShuttingDownGracefully { throw CancellationError() }
        try await writer.write(ByteBuffer(string: "," + page))
      }
      try await writer.write(ByteBuffer(string: "]"))
      try await writer.finish(nil)
      withExtendedLifetime(slot) {}
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"], body: body)
  }

  static func plain(_ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static func done() -> Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

  /// A refusal, in one sentence.
  static func refusal(_ refusal: ServiceRefusal) -> Response {
    var response = json(refusal.json, status: .init(code: refusal.status))
    if refusal.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
    response.headers[.retryAfter] = refusal.wait.map(String.init)
    response.headers[.allow] = refusal.allowed
    return response
  }

  /// Adds the security headers: only the page's own scripts run, no framing, no content sniffing.
  mutating func addSecurityHeaders() {
    headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
    headers[.xContentTypeOptions] = "nosniff"
    headers[.referrerPolicy] = "no-referrer"
    headers[.crossOriginResourcePolicy] = "same-origin"
    headers[.crossOriginOpenerPolicy] = "same-origin"
    if !headers.contains(.cacheControl) { headers[.cacheControl] = "no-store" }
  }

  private static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
    "manifest-src 'self'", "worker-src 'self'",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")
}

extension HTTPField.Name {
  static let referrerPolicy = Self("Referrer-Policy")!
  static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
  static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
  static let secFetchSite = Self("Sec-Fetch-Site")!
  static let lastEventID = Self("Last-Event-ID")!
  static let accelBuffering = Self("X-Accel-Buffering")!
}

extension String {
  /// The text without the line break of stream lines.
  var withoutLineEnd: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}

extension ServiceRefusal {
  /// As the body of a response.
  var json: String { JSONLine(["error": true, "reason": reason]).object }
}
