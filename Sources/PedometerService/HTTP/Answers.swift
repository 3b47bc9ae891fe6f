import HTTPTypes
import Hummingbird
import JSONLines
import NIOCore
import ServiceLifecycle

extension Response {
  /// A JSON text.
  static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    plain(Array(text.utf8), type: "application/json; charset=utf-8", status: status)
  }

  /// A JSON array of lines that are each an object.
  static func json(array lines: [String]) -> Response {
    json("[" + lines.map(\.withoutLineEnd).joined(separator: ",") + "]")
  }

  /// A JSON array whose elements come page by page. Where a page cannot be had, the connection ends before the array does, so
  /// nobody takes it for whole.
  /// - Parameters:
  ///   - seat: kept as long as the answer goes on.
  static func jsonArray(_ pages: HistoryPages, beginningWith first: [String], while seat: AnswerSeats.Seat) -> Response
  {
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "[" + first.joined(separator: ",")))
      while let page = try await pages.next() {
        // An answer that may take minutes does not hold up the service's end.
        if Task.isShuttingDownGracefully { throw CancellationError() }
        try await writer.write(ByteBuffer(string: "," + page))
      }
      try await writer.write(ByteBuffer(string: "]"))
      try await writer.finish(nil)
      withExtendedLifetime(seat) {}
    }
    return Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"], body: body)
  }

  /// Bytes of some type.
  static func plain(_ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// Nothing to say but that it is done.
  static func done() -> Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

  /// One sentence about what cannot be.
  static func refusal(_ refusal: ServiceRefusal) -> Response {
    json(refusal.json, status: .init(code: refusal.status))
  }

  /// What every answer carries: the page runs its own scripts and nobody else's, nobody frames it, nothing is guessed.
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

extension JSONLine {
  /// The object without a line end.
  var object: String { text + "}" }
}

extension String {
  /// Without the line end that lines of a stream have.
  var withoutLineEnd: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}

extension ServiceRefusal {
  /// As the body of an answer.
  var json: String {
    var line = JSONLine()
    line.add("error", true)
    line.add("reason", reason)
    return line.object
  }
}
