import Foundation

extension Decodable {
  /// Decodes the JSON of a client.
  /// - Throws: ``ServiceRefusal``.
  package init(body: Data) throws {
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      self = try decoder.decode(Self.self, from: body)
    } catch let error as DecodingError {
      let isJSON = (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil
      throw ServiceRefusal(400, error.sentence(isJSON: isJSON))
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
