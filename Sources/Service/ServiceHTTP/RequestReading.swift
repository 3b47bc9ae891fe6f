import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceCore

extension Request {
  /// Reads the whole body. Refuses a body that is too long, or incomplete because the client disconnected.
  func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
    let announced = headers[.contentLength].flatMap(Int.init)
    let tooLong = ServiceRefusal(413, "the body is longer than \(limit) bytes; send less")
    if let announced, announced > limit { throw tooLong }
    let buffer: ByteBuffer
    do {
      buffer = try await body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw tooLong
    }
    if let announced, announced != buffer.readableBytes {
      throw ServiceRefusal(400, "the body is incomplete; send all of it")
    }
    return buffer
  }

  /// The media type without parameters, in lower case; empty if there is none.
  var mediaType: String {
    let media = headers[.contentType]?.split(separator: ";").first ?? ""
    return media.lowercased().trimmingCharacters(in: .whitespaces)
  }

  /// Decodes a JSON body; refuses anything else.
  func json<Value: Decodable>(_ type: Value.Type, upTo limit: Int) async throws -> Value {
    guard mediaType == "application/json" else {
      throw ServiceRefusal(415, "the body must be JSON; send Content-Type: application/json")
    }
    return try Value(body: Data(try await wholeBody(upTo: limit).readableBytesView))
  }

  /// The decoded query parameters. Refuses repeated parameters and invalid UTF-8.
  func query() throws(ServiceRefusal) -> [String: String] {
    guard let text = head.path?.split(separator: "?", maxSplits: 1).dropFirst().first else { return [:] }
    var values: [String: String] = [:]
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(parts[0]).removingPercentEncoding,
        let value = parts.count > 1 ? String(parts[1]).removingPercentEncoding : ""
      else { throw ServiceRefusal(400, "the query is not percent-encoded UTF-8; encode it") }
      guard values.updateValue(value, forKey: name) == nil else {
        throw ServiceRefusal(400, "a query parameter is given twice; give it once")
      }
    }
    return values
  }
}
