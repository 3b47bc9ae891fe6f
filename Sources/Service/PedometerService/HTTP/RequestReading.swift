import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
  /// Reads the whole body. Refuses a body that is too long, or incomplete because the client disconnected.
  func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
    let announced = headers[.contentLength].flatMap(Int.init)
    let tooLong = ServiceRefusal(status: 413, reason: "the body is longer than \(limit) bytes; send less")
    if let announced, announced > limit { throw tooLong }
    let buffer: ByteBuffer
    do {
      buffer = try await body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw tooLong
    }
    if let announced, announced != buffer.readableBytes {
      throw ServiceRefusal(status: 400, reason: "the body is incomplete; send all of it")
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
      throw ServiceRefusal(status: 415, reason: "the body must be JSON; send Content-Type: application/json")
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
      else { throw ServiceRefusal(status: 400, reason: "the query is not percent-encoded UTF-8; encode it") }
      guard values.updateValue(value, forKey: name) == nil else {
        throw ServiceRefusal(status: 400, reason: "a query parameter is given twice; give it once")
      }
    }
    return values
  }
}

extension Decodable {
  /// Decodes the JSON of a client.
  /// - Throws: ``ServiceRefusal``.
  init(body: Data) throws {
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      self = try decoder.decode(Self.self, from: body)
    } catch let error as DecodingError {
      let isJSON = (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil
      throw ServiceRefusal(status: 400, reason: error.sentence(isJSON: isJSON))
    }
  }
}

extension DecodingError {
  /// The error of a body, for the client.
  /// - Parameter isJSON: whether the body is JSON.
  fileprivate func sentence(isJSON: Bool) -> String {
    let path = { (keys: [any CodingKey]) in keys.map(\.stringValue).joined(separator: ".") }
    switch self {
    case .keyNotFound(let key, let context):
      return "'\(path(context.codingPath + [key]))' is missing in the body"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let place = path(context.codingPath)
      return place.isEmpty ? "the body must be a JSON object" : "'\(place)' has the wrong type; see /openapi.json"
    case .dataCorrupted(let context):
      let place = path(context.codingPath)
      if !place.isEmpty { return "'\(place)' has an invalid value; see /openapi.json" }
      // The decoder does not say which number it is.
      return isJSON
        ? "a number in the body is not whole, or is too large; see /openapi.json" : "the body is not JSON"
    @unknown default: return "the body does not match /openapi.json"
    }
  }
}
