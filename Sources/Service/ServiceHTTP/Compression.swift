import HTTPTypes
import Hummingbird
import NIOCore
import Recordings
import ServiceCore

/// Bytes that never change while the service runs, with what saves sending them: their gzip, and a tag by which a browser asks
/// whether its copy is still the same.
struct StaticFile: Sendable {
  private let bytes: [UInt8]
  private let gzip: [UInt8]?
  private let type: String
  private let tag: String

  init(_ bytes: [UInt8], type: String) {
    (self.bytes, self.type) = (bytes, type)
    gzip = type == "image/png" ? nil : try? GzipStream(path: type, level: 9).compressed(bytes, isLast: true)
    tag = "\"\(SHA256.digits(of: bytes).prefix(16))\""
  }

  /// The file, or that the client has it: then without the headers that its copy has already.
  func answer(to request: Request) -> Response {
    let known = request.headers[.ifNoneMatch]?.split(separator: ",").map {
      $0.drop { $0 == " " || $0 == "W" || $0 == "/" }
    }
    var response = Response(status: .notModified)
    if known?.contains(tag[...]) != true {
      let packed = request.takesGzip ? gzip : nil
      response = .plain(packed ?? bytes, type: type)
      if packed != nil { response.headers[.contentEncoding] = "gzip" }
    }
    // Browsers cache it, but revalidate it: a new version of the service has a new page.
    response.headers[.cacheControl] = "no-cache"
    response.headers[.eTag] = tag
    response.headers[.vary] = "Accept-Encoding"
    return response
  }
}

extension Request {
  fileprivate var takesGzip: Bool {
    headers[.acceptEncoding]?.split(separator: ",").contains { item in
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
      return parts.first == "gzip"
        && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    } ?? false
  }
}

extension Response {
  /// The same answer in gzip, if the client takes that, also while it is still being made.
  consuming func compressed(for request: Request) -> Response {
    headers[.vary] = "Accept-Encoding"
    guard request.takesGzip, body.contentLength.map({ $0 > 1000 }) ?? true else { return self }
    headers[.contentEncoding] = "gzip"
    let body = body
    self.body = ResponseBody { writer in try await body.write(try GzipBody(to: writer)) }
    return self
  }
}

/// Compresses what is written to it.
private struct GzipBody: ResponseBodyWriter {
  private var target: any ResponseBodyWriter
  private let stream: GzipStream

  init(to target: any ResponseBodyWriter) throws {
    (self.target, stream) = (target, try GzipStream(path: "the answer", level: 6))
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    let bytes = try stream.compressed(Array(buffer.readableBytesView), isLast: false)
    if !bytes.isEmpty { try await target.write(ByteBuffer(bytes: bytes)) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await target.write(ByteBuffer(bytes: try stream.compressed([], isLast: true)))
    try await target.finish(trailingHeaders)
  }
}
